import type { ErrorDetails } from '../../errors.ts'
import type { Risk } from '../dapp/risk.ts'
import type { FeeSpeed, Swap } from '../swap/swap.ts'
import type { Address, Hex, Token } from '../token/token.ts'

/** One transaction to be, before nonce and fees. Without `to` it creates a contract. */
export type Call = {
  to?: Address
  data: Hex
  value: bigint
  /** The gas that whoever made the call asks for. More is allowed where the node's estimate says so. */
  gas?: bigint
}

/**
 * What the user accepted to send: `calls` one after the other, each when the one before is mined. `id` is 16 random bytes as hex;
 * asking twice with one id is asking once (docs/security.md, the journal).
 */
export type CallsIntent = {
  id: string
  account: Address
  chainId: number
  calls: Call[]
  /** The highest total network fee shown, in wei, over all calls. A call that would go beyond it is not signed. */
  feeCap: bigint
  /** True when the user agreed although they fail, or nobody knows. Else a call that turns out to fail is not signed. */
  mayFail: boolean
  /** `normal` unless given. */
  speed?: FeeSpeed
  /** The site that asked for them, as the browser reports it. Absent: the user's own, or from before it was kept. */
  origin?: string
  /** What the user's own are for. */
  purpose?: CallBatchKind
  /** The outcome that the user saw: what would do worse is not signed. Absent where nobody knew it. */
  expected?: ShownOutcome
}

/**
 * A simulation as the journal keeps it: the net change of each token, and the allowances left behind. Calls shown as failing change
 * nothing.
 */
export type ShownOutcome = Outcome & {
  /** Of a batch, what each call but the last does by itself. */
  parts?: Outcome[]
}

export type Outcome = {
  changes: { token: Address; amount: bigint; nft?: bigint; isDrawn?: boolean }[]
  grants: { token: Address; spender: Address; amount: bigint | 'all'; nft?: bigint }[]
  /** Growth of the recipient's balance, for a transfer. */
  arrived?: bigint
  /** As in a simulation. */
  isWeak?: boolean
  isUnstable?: boolean
}

export type CallBatchKind =
  | { kind: 'transfer'; token: Address; to: Address; amount: bigint }
  /** `spender` may take nothing of `token` any more; `via`: at Permit2. */
  | { kind: 'revoke'; token: Address; spender: Address; via?: 'permit2' }

/** Calls under way or over. Its steps are one for each call; what they received is not counted, so it is 0 when they are done. */
export type CallBatch = Omit<Swap, 'intent'> & { intent: CallsIntent }

/** What calls would do, by the user's own node, and what they cost. */
export type CallPreview = {
  simulation: Simulation
  /** Upper estimate over all calls, in wei. */
  networkFee: bigint
  /** What the intent carries: costlier is refused. */
  feeCap: bigint
  /** Why they need a second look; grave ones have to be acknowledged. */
  risks: Risk[]
}

export type Simulation =
  /**
   * They all succeed. Changes are the sender's, summed over all calls; the network's fee is not in them. `isNarrow`: only the tokens that
   * were asked about were looked at. `arrived` is what somebody else's balance grew by, who was asked about. `isWeak`: the node did not
   * set the block context, so that contracts can tell the simulation from a real block. `isUnstable`: the outcome depends on the block,
   * and these are the worst numbers of two. `parts`: as in a shown outcome.
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
  /** `facts` are the numbers that the reason carries. */
  | { status: 'reverts'; reason: string; facts?: ErrorDetails }
  /** The node cannot say. `isCrowded`: the calls or the contracts are too heavy to be looked at in full, which is their own doing. */
  | { status: 'unknown'; reason: string; isCrowded?: boolean }

/**
 * By how much the sender's balance of a token changes, in base units. An NFT (EIP-721, EIP-1155) has its id. `isDrawn`: an item that
 * arrives, with another id in each simulated block.
 */
export type BalanceChange = { token: Token; amount: bigint; nft?: bigint; isDrawn?: boolean }

/** What somebody may take from the sender afterwards. A single NFT has its id; `all`: every item of a collection. */
export type AllowanceChange = { token: Token; spender: Address; amount: bigint | 'all'; nft?: bigint }
