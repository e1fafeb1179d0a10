import type { Risk } from '../dapp/risks/risk.ts'
import type { FeeSpeed, PastPrice, Swap } from '../swap/swap.ts'
import type { Address, Hex } from '../token/token.ts'
import type { Outcome, Simulation } from './simulation.ts'

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
  /** Of a transfer's token, when confirmed. */
  price?: PastPrice
  /** Outcome shown: a worse one is not signed. */
  expected?: ShownOutcome
}

/** Simulation in the journal: net changes and remaining allowances. Empty for a revert. */
export type ShownOutcome = Outcome & {
  /** Per call of a batch but the last. */
  parts?: Outcome[]
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
  /** Likely fee of all calls, in wei. */
  expectedFee: bigint
  /** In wei; costlier calls are rejected. */
  feeCap: bigint
  risks: Risk[]
}
