import * as v from 'valibot'
import type { Address, Hex } from '../domain/token/token.ts'

/** How a transaction ended. `effectiveGasPrice` is what was paid, in wei per gas; `l1Fee` what a rollup took on top, in wei. */
export type Receipt = {
  status: 'success' | 'reverted'
  blockNumber: bigint
  gasUsed: bigint
  effectiveGasPrice: bigint
  l1Fee?: bigint | undefined
  logs: Log[]
  /** Each node of the network has it: in the same block, with the same end. */
  isAgreed: boolean
}

export type Log = { address: Address; topics: Hex[]; data: Hex }

// The shapes of a node's answers (Ethereum execution API), as far as they are read.

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

/** A part of a hint: undefined where the node writes something else. */
const hint = v.fallback(v.optional(quantity), undefined)

/** A tip as it was paid. Ethermint chains compute some below zero; those paid none. */
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

/** Every part is a hint, and may be missing. */
export type FeeHistory = v.InferOutput<typeof feeHistory>
export const feeHistory = v.object({
  baseFeePerGas: v.fallback(v.optional(v.array(hint)), undefined),
  baseFeePerBlobGas: v.fallback(v.optional(v.array(hint)), undefined),
  gasUsedRatio: v.fallback(v.optional(v.array(v.number())), undefined),
  reward: v.fallback(v.optional(v.nullable(v.array(v.fallback(v.array(reward), [])))), undefined),
})

/** A block by its base fee, which is absent or null before EIP-1559. */
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

/** `timestamp` in seconds since 1970. */
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
    // A word of rollups, and not all write it alike: what is unreadable counts as none.
    l1Fee: v.fallback(v.optional(quantity), undefined),
    logs: v.array(log),
  }),
)
