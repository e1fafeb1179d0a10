import type { ErrorCode, ErrorDetails } from '../../errors.ts'
import type { FeeDoubt } from '../network/feeLimits.ts'
import type { Address, Hex } from '../token/token.ts'
import type { MarketReturns } from './market.ts'
import type { Quote, Trade } from './quote.ts'
import type { RouteOptions } from './routeOptions.ts'
import type { Companion, SimulationVerdict } from './simulationCheck.ts'

/** What the user chose for a swap beyond the trade itself. The review is made with it, and the intent carries it. */
export type SwapTerms = {
  slippageBps: number
  options?: RouteOptions
  /** Who gets what is bought, where that is not the account itself. */
  receiver?: Address
  /** A part may be sold when not all can be, at no worse a price than the floor's. */
  allowPartialFill?: boolean
  /** Absent: a permit for exactly the amount where the service's list knows of one, else an approval of exactly the amount. */
  permission?: Permission
  /** `normal` unless given. */
  speed?: FeeSpeed
}

/**
 * How the router comes to be allowed to take what is sold. `permit` is a signature to the token (EIP-2612, or DAI's own, which knows all
 * or nothing only: `isUnlimited` says yes to that), `permit2` one to Permit2, which is approved for `amount` first where it has to be.
 */
export type Permission =
  | { via: 'approve'; amount: bigint }
  | { via: 'permit'; isUnlimited?: true }
  | { via: 'permit2'; amount: bigint }

/** A way that is open for this token. `isUnlimited`: it cannot be had for an amount. */
export type PermissionOffer = { via: Permission['via']; isUnlimited: boolean }

/** How soon it shall be mined: by what others pay now, or wei per gas. */
export type FeeSpeed = 'slow' | 'normal' | 'fast' | { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

/**
 * What the user accepted on the review screen. `id` is 16 random bytes as hex, made when that screen opened: asking twice
 * with one id is asking once (docs/security.md, the journal).
 */
export type SwapIntent = SwapTerms & {
  id: string
  account: Address
  trade: Trade
  /** The number on the screen: a swap whose calldata promises less is never signed. */
  floor: bigint
  /** The spender that the review showed: the router that may move `trade.sell`, or the wrapped coin's own contract. */
  router: Address
  /** The highest total network fee shown, in wei, over all steps. Costlier asks again. */
  feeCap: bigint
  /** The loss against the market price that the user accepted, in basis points. Absent where none was asked about. */
  acceptedLossBps?: number
  /** The items that the user accepted to leave together with the sold token. Absent where there were none. */
  acceptedCompanions?: Companion[]
  /** The other numbers on the screen, to compare with what happened. Records from before they were kept have none. */
  shown?: ReviewedAmounts
}

/** What the review said would happen. */
export type ReviewedAmounts = {
  /** Base units of the bought token. */
  returns: bigint
  /** Wei, over all steps. */
  networkFee: bigint
  /** The same in base units of the bought token, where somebody gave a price for it. */
  networkFeeWorth?: bigint
  /** How much worse than the middle price, in basis points of it, pools' fees included. */
  impactBps?: number
  /** The names of the sources that the route went through, each once. */
  sources?: string[]
}

/** What the review screen shows before anything is signed. */
export type Review = {
  quote: Quote
  /** Read from the calldata that would be signed. */
  floor: bigint
  router: Address
  /** The transactions to come, in order. */
  steps: StepKind[]
  /** How the router gets at what is sold; absent where it may already, or where it need not. */
  permission?: Permission
  /** Ways that could be chosen instead. Empty where none is needed. */
  permissions: PermissionOffer[]
  /** What the user's own node says of all steps together. */
  verdict: SimulationVerdict
  /** Gas limits of all steps together. */
  gas: bigint
  /** Upper estimate over all steps, in wei, at the speed that was asked for; `speeds` at each. */
  networkFee: bigint
  speeds: Record<
    'slow' | 'normal' | 'fast',
    { networkFee: bigint; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
  >
  /** The chain has no EIP-1559: both fees of a speed are the gas price. */
  isLegacy?: true
  /** What of `networkFee` a rollup takes for writing to L1 (0 elsewhere), in wei. */
  l1Fee: bigint
  /** The fee cap that the intent carries: what is refused beyond. */
  feeCap: bigint
  /** Has to be agreed to by itself. */
  feeDoubt?: FeeDoubt
  networkFeeWorth?: bigint
  impactBps?: number
  /** What the trade would return at the market's price. Absent where the wallet knows no price but the swap service's. */
  market?: MarketReturns
  /** Gas of the swap with and without the access list that was asked for; the cheaper one is signed. */
  accessList?: { gasWith: bigint; gasWithout: bigint }
}

/** False where the user's own node speaks against what was reviewed, or so much takes part that it cannot say. */
export function isSignable({ verdict }: Review): boolean {
  return verdict.status === 'matches' || (verdict.status === 'unknown' && !verdict.isCrowded)
}

/**
 * `reset` sets a USDT-like token's old allowance to zero first. `wrap` and `unwrap` are a swap that needs no router. `call` is one that a
 * page asked for, or that takes a permission back.
 */
export type StepKind = 'reset' | 'approve' | 'swap' | 'wrap' | 'unwrap' | 'call'

/** One transaction of an intent. `waiting` has not been signed yet; of `cancelled` its own cancellation was mined instead. */
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

/** `hash` is what the step is known by: the newest that does it, or what was mined. */
export type Step = {
  kind: StepKind
  state: StepState
  hash?: Hex
  nonce?: number
  /** The most it can cost in wei; once mined, what it did cost. */
  fee?: bigint
  /** Reverted, replaced or cancelled for good. */
  settled?: true
  /** The number of the block that it was mined in. */
  block?: bigint
  /** It would be final, if the other one of two nodes told the same. */
  isDoubted?: true
  /** All transactions that were signed with its number, the newest last, where there are several. One of them at most is mined. */
  rivals?: { hash: Hex; cancels?: true }[]
}

/** A swap under way or over, as every view sees it. */
export type Swap = {
  intent: SwapIntent
  createdAt: number
  steps: Step[]
  /** Network fees of what is mined so far, in wei. */
  paid: bigint
  /** While it is under way, `waitsForTurn` says that an older swap of the same token goes first. */
  outcome:
    | { status: 'working'; waitsForTurn?: true }
    /** A step remains to be signed and the wallet is locked. */
    | { status: 'needs-unlock' }
    /** `spent` of what was sold, where only a part was. `isLeast`: what was received could not be read, `received` is the minimum. */
    | { status: 'done'; received: bigint; isLeast?: true; spent?: bigint }
    /** Mined, and less was received than the minimum. */
    | { status: 'below-minimum'; received: bigint; spent?: bigint }
    | { status: 'failed'; code: ErrorCode; message: string; facts: ErrorDetails }
}
