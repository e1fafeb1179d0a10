import * as v from 'valibot'
import type { Address, Hex } from '../../domain/token/token.ts'

/** `effectiveGasPrice` in wei per gas, `l1Fee` in wei. */
export type Receipt = {
  status: 'success' | 'reverted'
  blockNumber: bigint
  gasUsed: bigint
  effectiveGasPrice: bigint
  l1Fee?: bigint | undefined
  logs: Log[]
  /** All RPCs have it in the same block. */
  isAgreed: boolean
}

export type Log = { address: Address; topics: Hex[]; data: Hex }

// Ethereum execution API.

export const quantity = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-fA-F]{1,64}$/),
  v.transform((text) => BigInt(text)),
)
export const count = v.pipe(
  quantity,
  v.maxValue(BigInt(Number.MAX_SAFE_INTEGER)),
  v.transform((value) => Number(value)),
)
export const hex = v.pipe(
  v.string(),
  v.regex(/^0x([0-9a-fA-F]{2})*$/),
  v.transform((text) => text.toLowerCase() as Hex),
)
export const hash = v.pipe(hex, v.length(66))

export const address = v.pipe(hex, v.length(42))
export const log = v.object({ address, topics: v.array(hash), data: hex })

const hint = v.fallback(v.optional(quantity), undefined)

/** Ethermint chains may compute negative tips. */
const reward = v.fallback(
  v.optional(
    v.union([
      quantity,
      v.pipe(
        v.string(),
        v.regex(/^-0x[0-9a-fA-F]+$/),
        v.transform(() => 0n),
      ),
    ]),
  ),
  undefined,
)

export type FeeHistory = v.InferOutput<typeof feeHistory>
export const feeHistory = v.object({
  baseFeePerGas: v.fallback(v.optional(v.array(hint)), undefined),
  baseFeePerBlobGas: v.fallback(v.optional(v.array(hint)), undefined),
  gasUsedRatio: v.fallback(v.optional(v.array(v.number())), undefined),
  reward: v.fallback(v.optional(v.nullable(v.array(v.fallback(v.array(reward), [])))), undefined),
})

/** Absent or null before EIP-1559. */
export const feeBlock = v.object({
  number: quantity,
  baseFeePerGas: v.nullish(
    v.union([
      quantity,
      v.pipe(
        v.unknown(),
        v.transform(() => 'unreadable' as const),
      ),
    ]),
  ),
})

export const transaction = v.nullable(v.object({ hash, blockNumber: v.nullable(quantity) }))

/** Seconds since 1970. */
export const block = v.object({ number: quantity, timestamp: count })

export const gasBlock = v.object({ gasLimit: quantity })

export const plainReceipt = v.nullable(v.looseObject({}))

export const receipt = v.nullable(
  v.object({
    transactionHash: hash,
    status: v.picklist(['0x0', '0x1']),
    blockNumber: quantity,
    gasUsed: quantity,
    effectiveGasPrice: quantity,
    // Formats vary between rollups.
    l1Fee: v.fallback(v.optional(quantity), undefined),
    logs: v.array(log),
  }),
)

export type Header = v.InferOutput<typeof header>

export const header = v.object({
  number: quantity,
  hash: v.fallback(v.optional(hash), undefined),
  parentHash: v.fallback(v.optional(hash), undefined),
  timestamp: count,
  gasLimit: quantity,
  miner: address,
  mixHash: v.fallback(v.optional(hash), undefined),
  difficulty: v.fallback(v.optional(quantity), undefined),
  parentBeaconBlockRoot: v.fallback(v.optional(hash), undefined),
})
