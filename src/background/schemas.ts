import * as v from 'valibot'
import type { ShownOutcome } from '../domain/activity/callBatch.ts'
import type { Fees } from '../domain/activity/replacement.ts'
import type { Decision } from '../domain/dapp/approval.ts'
import { slippageLimits, type Trade } from '../domain/swap/quote.ts'
import { type RouteOptions, routeLimits } from '../domain/swap/routeOptions.ts'
import type { ApprovalMethod, FeeSpeed, PastPrice, ReviewedAmounts, SwapIntent } from '../domain/swap/swap.ts'
import type { Address, Hex, Token } from '../domain/token/token.ts'
import { WalletError } from '../errors.ts'

export const uint256 = v.pipe(v.bigint(), v.minValue(0n), v.maxValue(2n ** 256n - 1n))

export const spendingLimit = v.pipe(uint256, v.minValue(1n))

export const address = v.custom<Address>(
  (value) => typeof value === 'string' && /^0x[0-9a-f]{40}$/.test(value),
  'is not a lower-case address',
)

export const hex = v.custom<Hex>(
  (value) => typeof value === 'string' && /^0x([0-9a-f]{2})*$/.test(value),
  'is not hex',
)

export const hash = v.custom<Hex>(
  (value) => typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value),
  'is not a hash',
)

export const chainId = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

export const slippage = v.pipe(
  v.number(),
  v.safeInteger(),
  v.minValue(slippageLimits.leastBps),
  v.maxValue(slippageLimits.mostBps),
)

export const trade: v.GenericSchema<unknown, Trade> = v.pipe(
  v.object({ chainId, sell: address, buy: address, amount: v.pipe(uint256, v.minValue(1n)) }),
  v.check(({ sell, buy }) => sell !== buy, 'sells and buys the same token'),
)

export const token: v.GenericSchema<unknown, Token> = v.object({
  address,
  symbol: v.string(),
  name: v.string(),
  decimals: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(255)),
  listed: v.boolean(),
  eip2612: v.boolean(),
  taxed: v.boolean(),
  tags: v.array(v.string()),
})

/** No commas: queries join ids with them. */
export const sourceId = v.pipe(v.string(), v.regex(/^[^\s,]{1,100}$/, 'is not the id of a source'))

const list = v.pipe(v.array(sourceId), v.maxLength(200))
const within = ([least, most]: readonly [number, number]) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(least), v.maxValue(most))

export const swapSource = v.picklist(['service', 'direct'])

const serviceParameters = {
  protocols: v.exactOptional(list),
  excludedProtocols: v.exactOptional(list),
  complexityLevel: v.exactOptional(within(routeLimits.complexityLevel)),
  parts: v.exactOptional(within(routeLimits.parts)),
  mainRouteParts: v.exactOptional(within(routeLimits.mainRouteParts)),
  gasLimit: v.exactOptional(within(routeLimits.gasLimit)),
  connectorTokens: v.exactOptional(
    v.union([
      within(routeLimits.connectorTokens),
      v.pipe(v.array(address), v.minLength(1), v.maxLength(routeLimits.connectorTokens[1])),
    ]),
  ),
  gasPrice: v.exactOptional(uint256),
  feeBps: v.exactOptional(within(routeLimits.feeBps)),
  referrer: v.exactOptional(address),
}

const hasReferrer = v.check(
  ({ feeBps, referrer }: RouteOptions) => !feeBps || referrer !== undefined,
  'takes a fee that nobody gets: a referrer is missing',
)

/** Of a trade. */
export const routeOptions: v.GenericSchema<unknown, RouteOptions> = v.pipe(
  v.object({ source: v.exactOptional(swapSource), ...serviceParameters }),
  hasReferrer,
)

/** Of a network's settings. */
export const networkRouteOptions: v.GenericSchema<unknown, RouteOptions> = v.pipe(
  v.object(serviceParameters),
  hasReferrer,
)

const permission: v.GenericSchema<unknown, ApprovalMethod> = v.union([
  v.object({ via: v.literal('approve'), amount: uint256 }),
  v.object({ via: v.literal('permit'), isUnlimited: v.exactOptional(v.literal(true)) }),
  v.object({ via: v.literal('permit2'), amount: uint256 }),
])

export const fees: v.GenericSchema<unknown, Fees> = v.pipe(
  v.object({ maxFeePerGas: v.pipe(uint256, v.minValue(1n)), maxPriorityFeePerGas: uint256 }),
  v.check(
    ({ maxFeePerGas, maxPriorityFeePerGas }) => maxPriorityFeePerGas <= maxFeePerGas,
    'tips more than it pays',
  ),
)

const speed: v.GenericSchema<unknown, FeeSpeed> = v.union([v.picklist(['slow', 'normal', 'fast']), fees])

const positive = v.pipe(uint256, v.minValue(1n))

export const pastPrice: v.GenericSchema<unknown, PastPrice> = v.object({ usd: positive, per: positive })

const shown: v.GenericSchema<unknown, ReviewedAmounts> = v.object({
  returns: uint256,
  networkFee: uint256,
  networkFeeWorth: v.exactOptional(uint256),
  impactBps: v.exactOptional(v.pipe(v.number(), v.safeInteger())),
  sources: v.exactOptional(v.array(v.string())),
  market: v.exactOptional(positive),
  prices: v.exactOptional(
    v.object({
      sell: v.exactOptional(pastPrice),
      buy: v.exactOptional(pastPrice),
      native: v.exactOptional(pastPrice),
    }),
  ),
})

/** Older records lack the optional fields. */
export const terms = {
  slippageBps: slippage,
  options: v.exactOptional(routeOptions),
  receiver: v.exactOptional(address),
  allowPartialFill: v.exactOptional(v.boolean()),
  permission: v.exactOptional(permission),
  speed: v.exactOptional(speed),
}

/** 16 random bytes as hex (docs/security/journal.md). */
export const intentId = v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/, 'is not 16 bytes of hex'))

export const intent: v.GenericSchema<unknown, SwapIntent> = v.object({
  ...terms,
  id: intentId,
  account: address,
  trade,
  floor: v.pipe(uint256, v.minValue(1n)),
  router: address,
  feeCap: uint256,
  acceptedLossBps: v.exactOptional(within([0, 10_000])),
  acceptedCompanions: v.exactOptional(
    v.array(v.object({ token: address, nft: uint256, amount: v.pipe(uint256, v.minValue(1n)) })),
  ),
  shown: v.exactOptional(shown),
})

const outcome = {
  changes: v.array(
    v.object({
      token: address,
      amount: v.bigint(),
      nft: v.exactOptional(uint256),
      isDrawn: v.exactOptional(v.boolean()),
    }),
  ),
  grants: v.array(
    v.object({
      token: address,
      spender: address,
      amount: v.union([uint256, v.literal('all')]),
      nft: v.exactOptional(uint256),
    }),
  ),
  arrived: v.exactOptional(v.bigint()),
  isWeak: v.exactOptional(v.boolean()),
  isUnstable: v.exactOptional(v.boolean()),
}

export const shownOutcome: v.GenericSchema<unknown, ShownOutcome> = v.object({
  ...outcome,
  parts: v.exactOptional(v.array(v.object(outcome))),
})

const acknowledged = v.exactOptional(v.pipe(v.array(v.string()), v.maxLength(200)))

export const decision: v.GenericSchema<unknown, Decision> = v.union([
  v.object({ kind: v.literal('connect'), accounts: v.pipe(v.array(address), v.minLength(1)), chainId }),
  v.object({ kind: v.literal('sign-message'), acknowledged }),
  v.object({ kind: v.literal('sign-typed-data'), acknowledged }),
  v.object({
    kind: v.literal('send'),
    feeCap: uint256,
    mayFail: v.boolean(),
    expected: v.exactOptional(shownOutcome),
    spendingLimit: v.exactOptional(spendingLimit),
    acknowledged,
  }),
  v.object({ kind: v.literal('add-chain') }),
  v.object({ kind: v.literal('switch-chain') }),
  v.object({ kind: v.literal('watch-asset') }),
  v.object({ kind: v.literal('swap'), intent, filled: v.exactOptional(uint256) }),
])

/** Validates `value`. Throws `invalid-input` naming the invalid fields. */
export function parse<T>(shape: v.GenericSchema<unknown, T>, value: unknown, what: string): T {
  const result = v.safeParse(shape, value)
  if (result.success) return result.output
  const faults = result.issues.map((issue) => `${v.getDotPath(issue) ?? what}: ${issue.message}`)
  throw new WalletError('invalid-input', `The wallet cannot use this ${what}. ${faults.join('; ')}.`)
}
