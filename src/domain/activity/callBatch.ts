import type { ErrorDetails } from '../../errors.ts'
import type { Risk } from '../dapp/risk.ts'
import type { FeeSpeed, Swap } from '../swap/swap.ts'
import type { Address, Hex, Token } from '../token/token.ts'

/** Transaction without nonce and fees; without `to` it creates a contract. */
export type Call = {
  to?: Address
  data: Hex
  value: bigint
  /** Requested by the caller; raised if the RPC estimates more. */
  gas?: bigint
}

/**
 * Accepted calls, each sent after the previous is mined. `id` (16 random bytes as hex) makes requests
 * idempotent (docs/security/journal.md).
 */
export type CallsIntent = {
  id: string
  account: Address
  chainId: number
  calls: Call[]
  /** Total network fee shown, in wei. Nothing beyond it is signed. */
  feeCap: bigint
  /** When false, a failing call is not signed. */
  mayFail: boolean
  /** Default `normal`. */
  speed?: FeeSpeed
  /** As the browser reports it; absent for own calls and old records. */
  origin?: string
  purpose?: CallBatchKind
  /** Outcome shown: a worse one is not signed. */
  expected?: ShownOutcome
}

/** Simulation in the journal: net changes and remaining allowances. Empty for a revert. */
export type ShownOutcome = Outcome & {
  /** Per call of a batch but the last. */
  parts?: Outcome[]
}

export type Outcome = {
  changes: { token: Address; amount: bigint; nft?: bigint; isDrawn?: boolean }[]
  grants: { token: Address; spender: Address; amount: bigint | 'all'; nft?: bigint }[]
  /** Growth of a transfer recipient's balance. */
  arrived?: bigint
  isWeak?: boolean
  isUnstable?: boolean
}

export type CallBatchKind =
  | { kind: 'transfer'; token: Address; to: Address; amount: bigint }
  /** `via`: allowance at Permit2. */
  | { kind: 'revoke'; token: Address; spender: Address; via?: 'permit2' }

/** One step per call; `received` is 0 when done. */
export type CallBatch = Omit<Swap, 'intent'> & { intent: CallsIntent }

export type CallPreview = {
  simulation: Simulation
  /** Upper estimate for all calls, in wei. */
  networkFee: bigint
  /** In wei; costlier calls are rejected. */
  feeCap: bigint
  risks: Risk[]
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
