import { z } from 'zod'

const count = z.bigint().min(0n).max(BigInt(Number.MAX_SAFE_INTEGER))
const wei = z
  .bigint()
  .min(0n)
  .max(2n ** 128n)

const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)])

const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{40}$/)])
/** Several times what a state holds. */
const addresses = z.array(address).max(100_000).exactOptional()
const pair = z.tuple([address, address])
const absentToken = z.object({ token: address, hasCode: z.boolean() })

const tokensShape = z.object({
  ...{ listed: addresses, found: addresses, stale: addresses, dropped: addresses },
  pairs: z.array(pair).max(1_000).exactOptional(),
  absent: z.array(absentToken).max(1_000).exactOptional(),
})

/** The head of a snapshot: what an update has besides pools. */
export const headShape = z.object({
  after: hash.exactOptional(),
  block: z.object({
    number: count,
    hash,
    parentHash: hash,
    timestamp: count,
    baseFeePerGas: wei,
  }),
  tip: wei,
  l1ByteFee: wei.exactOptional(),
  tokens: tokensShape.exactOptional(),
  gone: addresses,
})
