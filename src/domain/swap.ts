import type { ErrorCode, ErrorFacts } from '../errors.ts'
import type { Address, Hex } from './token.ts'
import type { Quote, Trade } from './trade.ts'

/**
 * What the user accepted on the review screen. `id` is 16 random bytes as hex, made when that screen opened: asking twice
 * with one id is asking once (docs/security.md, the journal).
 */
export type SwapIntent = {
  id: string
  account: Address
  trade: Trade
  slippageBps: number
  /** The number on the screen: a swap whose calldata promises less is never signed. */
  floor: bigint
  /** The spender that the review showed: the router that may move `trade.sell`. */
  router: Address
  /** The highest total network fee shown, in wei, over all steps. Costlier asks again. */
  feeCap: bigint
}

/** What the review screen shows before anything is signed. */
export type Review = {
  quote: Quote
  /** Read from the calldata that would be signed. */
  floor: bigint
  router: Address
  /** The transactions to come, in order. */
  steps: StepKind[]
  /** Upper estimate over all steps, in wei. */
  networkFee: bigint
  /** The fee cap that the intent carries: what is refused beyond. */
  feeCap: bigint
}

/** `reset` sets a USDT-like token's old allowance to zero first. `call` is one that a page asked for. */
export type StepKind = 'reset' | 'approve' | 'swap' | 'call'

/** One transaction of an intent. `waiting` has not been signed yet. */
export type StepState =
  | 'waiting'
  | 'signed'
  | 'sent'
  | 'mined'
  | 'final'
  | 'reverted'
  | 'replaced'
  | 'dropped'

export type Step = { kind: StepKind; state: StepState; hash?: Hex }

/** A swap under way or over, as every view sees it. */
export type Swap = {
  intent: SwapIntent
  createdAt: number
  steps: Step[]
  outcome:
    | { status: 'working' }
    /** A step remains to be signed and the wallet is locked. */
    | { status: 'needs-unlock' }
    | { status: 'done'; received: bigint }
    | { status: 'failed'; code: ErrorCode; message: string; facts: ErrorFacts }
}
