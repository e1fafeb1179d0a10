import * as z from 'zod/mini'
import type { Address, Hex } from '../domain/token.ts'

/** How a transaction ended. `effectiveGasPrice` is what was paid, in wei per gas. */
export type Receipt = {
  status: 'success' | 'reverted'
  blockNumber: bigint
  gasUsed: bigint
  effectiveGasPrice: bigint
  logs: Log[]
}

export type Log = { address: Address; topics: Hex[]; data: Hex }

// The shapes of a node's answers (Ethereum execution API), as far as they are read.

export const quantity = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/)),
  z.transform((text) => BigInt(text)),
)
export const count = z.pipe(
  quantity.check(z.lte(BigInt(Number.MAX_SAFE_INTEGER))),
  z.transform((value) => Number(value)),
)
export const hex = z.pipe(
  z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/)),
  z.transform((text) => text.toLowerCase() as Hex),
)
export const hash = hex.check(z.length(66))

const address = hex.check(z.length(42))
export const log = z.object({ address, topics: z.array(hash), data: hex })

export const feeHistory = z.object({ baseFeePerGas: z.array(quantity).check(z.minLength(1)) })

export const transaction = z.nullable(z.object({ hash, blockNumber: z.nullable(quantity) }))

export const plainReceipt = z.nullable(z.record(z.string(), z.unknown()))

export const receipt = z.nullable(
  z.object({
    transactionHash: hash,
    status: z.enum(['0x0', '0x1']),
    blockNumber: quantity,
    gasUsed: quantity,
    effectiveGasPrice: quantity,
    logs: z.array(log),
  }),
)
