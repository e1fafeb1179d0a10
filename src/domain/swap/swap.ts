import type { ErrorCode, ErrorDetails } from '../../errors.ts'
import type { Companion, SimulationVerdict } from '../activity/simulation.ts'
import type { FeeDoubt } from '../network/feeLimits.ts'
import type { Address, Hex } from '../token/token.ts'
import type { TokenPrice } from '../value/price.ts'
import type { MarketReturns } from './market.ts'
import type { Quote, Trade } from './quote.ts'
import type { RouteOptions } from './routeOptions.ts'

export type SwapTerms = {
  slippageBps: number
  options?: RouteOptions
  /** If not the account. */
  receiver?: Address
  /** At no worse a price than minReturn's. */
  allowPartialFill?: boolean
  /** Absent: an exact permit if the list shows support, otherwise an exact approval. */
  permission?: ApprovalMethod
  /** Default `normal`. */
  speed?: FeeSpeed
}

/**
 * `permit`: signed for the token (EIP-2612, or DAI with `isUnlimited`); `permit2`: for Permit2, first
 * approved for `amount` if needed.
 */
export type ApprovalMethod =
  | { via: 'approve'; amount: bigint }
  | { via: 'permit'; isUnlimited?: true }
  | { via: 'permit2'; amount: bigint }

/** `isUnlimited`: has no limit. */
export type ApprovalMethodOffer = { via: ApprovalMethod['via']; isUnlimited: boolean }

/** Market level, or wei per gas. */
export type FeeSpeed = 'slow' | 'normal' | 'fast' | { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

/**
 * Accepted swap. `id` (16 random bytes as hex, created with the review) makes requests idempotent
 * (docs/security/journal.md).
 */
export type SwapIntent = SwapTerms & {
  id: string
  account: Address
  trade: Trade
  /** minReturn shown: calldata that promises less is never signed. */
  floor: bigint
  /** Spender shown; the wrapped token for wraps. */
  router: Address
  /** Total network fee shown, in wei. A higher one needs a new confirmation. */
  feeCap: bigint
  /** Accepted loss against the market; absent if not asked. */
  acceptedLossBps?: number
  /** Items accepted to leave; absent if none. */
  acceptedCompanions?: Companion[]
  /** To compare with the result; absent in old records. */
  shown?: ReviewedAmounts
}

export type ReviewedAmounts = {
  /** Base units of the bought token. */
  returns: bigint
  /** Expected, in wei, over all steps. */
  networkFee: bigint
  /** Base units of the bought token; absent without a price. */
  networkFeeWorth?: bigint
  /** Against the mid price, pool fees included. */
  impactBps?: number
  sources?: string[]
  /** Return at the market price, for the whole sold amount; absent without one. */
  market?: bigint
  /** When confirmed; absent without any. */
  prices?: PastPrices
}

/** Prices at a past time. Those unknown then are absent. */
export type PastPrices = { sell?: PastPrice; buy?: PastPrice; native?: PastPrice }
export type PastPrice = Pick<TokenPrice, 'usd' | 'per'>

export type Review = {
  quote: Quote
  /** Read from the calldata to be signed. */
  floor: bigint
  router: Address
  steps: StepKind[]
  /** Absent if none is needed. */
  permission?: ApprovalMethod
  /** Alternatives; empty if none is needed. */
  permissions: ApprovalMethodOffer[]
  /** By the user's RPC, for all steps. */
  verdict: SimulationVerdict
  /** Gas limit over all steps. */
  gas: bigint
  /** Gas that all steps will likely use. */
  expectedGas: bigint
  /** Of the next block, in wei per gas; 0 with a gas price. */
  baseFeePerGas: bigint
  /** `gas` at the maximum fee per gas of the requested speed, in wei. */
  networkFee: bigint
  /** Likely fee of all steps, in wei. */
  expectedFee: bigint
  /** Part of `expectedFee` for approval transactions; absent without any. */
  approvalFee?: bigint
  speeds: Record<
    'slow' | 'normal' | 'fast',
    { networkFee: bigint; expectedFee: bigint; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
  >
  /** Both fees of a speed are the gas price. */
  isLegacy?: true
  /** L1 part of `networkFee`, in wei; 0 without a rollup. */
  l1Fee: bigint
  feeCap: bigint
  feeDoubt?: FeeDoubt
  /** `expectedFee` in base units of the bought token. */
  networkFeeWorth?: bigint
  impactBps?: number
  /** Absent if only the swap service has a price. */
  market?: MarketReturns
  /** With and without the requested list; the cheaper one is signed. */
  accessList?: { gasWith: bigint; gasWithout: bigint }
}

/** False if the simulation contradicts the review or is crowded. */
export function isSignable({ verdict }: Review): boolean {
  return verdict.status === 'matches' || (verdict.status === 'unknown' && !verdict.isCrowded)
}

/**
 * `reset` sets a USDT-like allowance to zero. `wrap` and `unwrap` need no router. `call` is part of a batch.
 */
export type StepKind = 'reset' | 'approve' | 'swap' | 'wrap' | 'unwrap' | 'call'

/** `waiting`: unsigned; `cancelled`: its cancellation was mined. */
export type StepState =
  | 'waiting'
  | 'signed'
  | 'sent'
  | 'mined'
  | 'final'
  | 'reverted'
  | 'replaced'
  | 'cancelled'
  | 'dropped'

/** `hash`: the mined transaction, or the newest. */
export type Step = {
  kind: StepKind
  state: StepState
  hash?: Hex
  nonce?: number
  /** Maximum in wei; the actual fee once mined. */
  fee?: bigint
  /** Reverted, replaced or cancelled for good. */
  settled?: true
  block?: bigint
  /** Would be final if a second RPC agreed. */
  isDoubted?: true
  /** Signed with its nonce, newest last, if several. At most one is mined. */
  rivals?: { hash: Hex; cancels?: true }[]
}

export type Swap = {
  intent: SwapIntent
  createdAt: number
  steps: Step[]
  /** Fees of mined transactions, in wei. */
  paid: bigint
  /** `waitsForTurn`: an older swap of the token goes first. */
  outcome:
    | { status: 'working'; waitsForTurn?: true }
    | { status: 'needs-unlock' }
    /** `spent`: of a partial fill. `isLeast`: unreadable, `received` is the minimum. */
    | { status: 'done'; received: bigint; isLeast?: true; spent?: bigint }
    | { status: 'below-minimum'; received: bigint; spent?: bigint }
    | { status: 'failed'; code: ErrorCode; message: string; facts: ErrorDetails }
}
