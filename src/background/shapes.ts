import * as z from 'zod/mini'
import type { Decision } from '../domain/approval.ts'
import type { SwapIntent } from '../domain/swap.ts'
import type { Address, Hex, Token } from '../domain/token.ts'
import { slippageLimits, type Trade } from '../domain/trade.ts'
import { WalletError } from '../errors.ts'

// The shapes of what reaches the worker from messages and storage.

export const uint256 = z.bigint().check(z.gte(0n), z.lt(2n ** 256n))

export const address = z.custom<Address>(
  (value) => typeof value === 'string' && /^0x[0-9a-f]{40}$/.test(value),
  'is not a lower-case address',
)

export const hex = z.custom<Hex>(
  (value) => typeof value === 'string' && /^0x([0-9a-f]{2})*$/.test(value),
  'is not hex',
)

export const hash = z.custom<Hex>(
  (value) => typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value),
  'is not a hash',
)

export const chainId = z.int().check(z.positive())

export const slippage = z.int().check(z.gte(slippageLimits.leastBps), z.lte(slippageLimits.mostBps))

export const trade: z.ZodMiniType<Trade> = z
  .object({ chainId, sell: address, buy: address, amount: uint256.check(z.positive()) })
  .check(z.refine(({ sell, buy }) => sell !== buy, 'sells and buys the same token'))

export const token: z.ZodMiniType<Token> = z.object({
  address,
  symbol: z.string(),
  name: z.string(),
  decimals: z.int().check(z.gte(0), z.lte(255)),
  listed: z.boolean(),
  eip2612: z.boolean(),
  taxed: z.boolean(),
  tags: z.array(z.string()),
})

/** The id is 16 random bytes as hex (docs/security.md, the journal). */
export const intent: z.ZodMiniType<SwapIntent> = z.object({
  id: z.string().check(z.regex(/^[0-9a-f]{32}$/, 'is not 16 bytes of hex')),
  account: address,
  trade,
  slippageBps: slippage,
  floor: uint256.check(z.positive()),
  router: address,
  feeCap: uint256,
})

/** A yes to what a page asked. */
export const decision: z.ZodMiniType<Decision> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('connect'), accounts: z.array(address).check(z.minLength(1)), chainId }),
  z.object({ kind: z.literal('sign-message') }),
  z.object({ kind: z.literal('sign-typed-data') }),
  z.object({ kind: z.literal('send'), feeCap: uint256, mayFail: z.boolean() }),
  z.object({ kind: z.literal('add-chain') }),
  z.object({ kind: z.literal('switch-chain') }),
  z.object({ kind: z.literal('watch-asset') }),
  z.object({ kind: z.literal('swap'), intent, filled: z.exactOptional(uint256) }),
])

/** `value` as `shape` describes it. Throws a WalletError `invalid-input` that names the fields that do not fit. */
export function parse<T>(shape: z.ZodMiniType<T>, value: unknown, what: string): T {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  const faults = result.error.issues.map((issue) => `${issue.path.join('.') || what}: ${issue.message}`)
  throw new WalletError('invalid-input', `The wallet cannot use this ${what}. ${faults.join('; ')}.`)
}
