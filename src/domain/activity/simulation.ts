import type { ErrorDetails } from '../../errors.ts'
import type { Address, Token } from '../token/token.ts'

export type Outcome = {
  changes: { token: Address; amount: bigint; nft?: bigint; isDrawn?: boolean }[]
  grants: { token: Address; spender: Address; amount: bigint | 'all'; nft?: bigint }[]
  /** Growth of a transfer recipient's balance. */
  arrived?: bigint
  isWeak?: boolean
  isUnstable?: boolean
}

export type Simulation =
  /**
   * `changes` are sums over all calls, without the network fee. `isNarrow`: only requested tokens were
   * checked. `arrived`: growth of another account's balance. `isWeak`: without the block context, so that
   * contracts can detect it. `isUnstable`: depends on the block; worst of two. `parts`: as in `ShownOutcome`.
   */
  | {
      status: 'succeeds'
      changes: BalanceChange[]
      grants: AllowanceChange[]
      isNarrow?: boolean
      isWeak?: boolean
      isUnstable?: boolean
      arrived?: bigint
      parts?: Outcome[]
    }
  /** `facts`: numbers in the reason. */
  | { status: 'reverts'; reason: string; facts?: ErrorDetails }
  /** `isCrowded`: too heavy to inspect in full, which is caused by the calls or contracts. */
  | { status: 'unknown'; reason: string; isCrowded?: boolean }

/**
 * Change of the sender's balance in base units. `nft`: EIP-721 or EIP-1155 id. `isDrawn`: its id differs in
 * each simulated block.
 */
export type BalanceChange = { token: Token; amount: bigint; nft?: bigint; isDrawn?: boolean }

/** Allowance afterwards. `nft`: a single item; `all`: the whole collection. */
export type AllowanceChange = { token: Token; spender: Address; amount: bigint | 'all'; nft?: bigint }

/** Result of simulating all transactions of a swap. */
export type SimulationVerdict =
  /** At least minReturn is paid; besides, only `companions` leave, moved by the sold token's own contract. */
  | { status: 'matches'; received: bigint; seen: SimulatedSwap; companions?: BalanceChange[] }
  /** `received`: where the router told it. */
  | { status: 'below-floor'; received?: bigint; seen: SimulatedSwap }
  /** More leaves, or may be taken afterwards. */
  | { status: 'unexpected'; seen: SimulatedSwap; what: Unexpected[] }
  | Exclude<Simulation, { status: 'succeeds' }>

/** `isNarrow`: only the trade's tokens were readable. `isWeak`: contracts can detect the simulation. */
export type SimulatedSwap = {
  changes: BalanceChange[]
  grants: AllowanceChange[]
  isNarrow?: boolean
  isWeak?: boolean
}

export type Companion = { token: Address; nft: bigint; amount: bigint }

export type Unexpected =
  | { kind: 'leaves'; change: BalanceChange }
  | { kind: 'grants'; grant: AllowanceChange }
