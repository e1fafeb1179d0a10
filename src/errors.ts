/** `ui/messages/errors/errors.ts` has the texts. */
export type ErrorCode =
  // wallet
  | 'invalid-input'
  /** `why`: `chosen`, `busy` (transaction pending), `built-in`, or `known` (would be added again). */
  | 'network-needed'
  | 'no-vault'
  | 'vault-exists'
  | 'locked'
  | 'wrong-password'
  /** `until`: milliseconds since 1970. */
  | 'too-many-tries'
  | 'watch-only'
  | 'vault-damaged'
  /** Written by a later version of the wallet. */
  | 'vault-newer'
  | 'storage-failed'
  /** Unreadable journal: the transaction's state is unknown. */
  | 'record-damaged'
  | 'unsafe-transaction'
  /** `router`: its address. */
  | 'unknown-router'
  /** Unexpected transfer or allowance in the simulation. */
  | 'unexpected-change'
  /** Worse than shown, when simulated again: `kind`, `expected`, `found`. */
  | 'outcome-changed'
  /** Permits are refused despite support. */
  | 'no-permit'
  | 'below-floor'
  /** Minimum received far below market, not accepted by the user. */
  | 'below-market'
  | 'stale-review'
  /** Fee or tip (`fact`) above the network's limit: `found`, `expected`, in wei. */
  | 'fee-too-high'
  | 'not-enough-gas'
  /** Simulation failed; nothing was signed. */
  | 'would-fail'
  /** Mined. */
  | 'reverted'
  | 'replaced'
  | 'dropped'
  /** By the user's own transaction. */
  | 'cancelled'
  /** Before its replacement. */
  | 'already-mined'
  /** `maxFeePerGas` and `maxPriorityFeePerGas` are the minimum of a replacement. */
  | 'underpriced'
  | 'worker-stopped'
  | 'internal'
  // swap service: answers
  | 'no-route'
  | 'unknown-token'
  | 'not-enough-balance'
  | 'not-enough-allowance'
  | 'estimation-failed'
  | 'refused-request'
  | 'service-forbidden'
  | 'service-busy'
  | 'service-failed'
  // swap service: no usable answer
  | 'service-unreachable'
  | 'service-timeout'
  | 'service-garbled'
  // RPC
  | 'node-unreachable'
  | 'node-timeout'
  | 'node-refused'
  | 'wrong-chain'
  | 'aborted'
  // dapp request
  | 'invalid-request'
  | 'unknown-method'
  | 'unsupported-method'
  | 'invalid-params'
  | 'not-connected'
  | 'throttled'
  /** Bytes of a site, in total or per second. */
  | 'limit-exceeded'
  | 'rejected'
  | 'request-open'
  | 'unknown-chain'
  | 'not-sent'
  | 'no-service'
  | 'no-capability'
  | 'no-atomicity'
  | 'id-used'
  | 'unknown-id'
  /** The RPC's `rpcCode`, `rpcMessage`, `rpcData`. `isRevert`: with `revertData`. */
  | 'node-answered'

/** Never secret. */
export type ErrorDetails = Readonly<Record<string, string>>

/** `code`, `message` and `facts` cross process borders, `cause` does not. */
export class WalletError extends Error {
  override readonly name = 'WalletError'

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly facts: ErrorDetails = {},
    options?: { cause?: unknown },
  ) {
    super(message, options)
  }
}

/** Wraps other errors as `internal`. */
export function toWalletError(error: unknown): WalletError {
  if (error instanceof WalletError) return error
  return new WalletError('internal', 'Something unexpected happened inside the wallet.', {}, { cause: error })
}
