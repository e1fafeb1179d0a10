/** What can go wrong, for programs. `ui/messages/errors.ts` holds the sentence of each. */
export type ErrorCode =
  // the wallet's own
  | 'invalid-input'
  /** A network cannot be removed. `why`: it is `chosen`, `busy` with a transaction under way, or `built-in`; `known` where it would be added again. */
  | 'network-needed'
  | 'no-vault'
  | 'vault-exists'
  | 'locked'
  | 'wrong-password'
  /** The password was wrong too often: none is tried before `until`, in milliseconds since 1970. */
  | 'too-many-tries'
  /** The account is only looked at: its key is not in this wallet. */
  | 'watch-only'
  | 'vault-damaged'
  /** A later version of the wallet wrote it. */
  | 'vault-newer'
  | 'storage-failed'
  /** What the journal kept of a transaction cannot be read: nobody here knows what became of it. */
  | 'record-damaged'
  | 'unsafe-transaction'
  /** The service names a router that neither the user nor the wallet knows: `router` is its address. */
  | 'unknown-router'
  /** The user's own node says that more would change than was agreed: something else leaves, or may be taken. */
  | 'unexpected-change'
  /** Simulated again before it was signed, the outcome is worse than shown. `kind`, `expected` and `found` say where. */
  | 'outcome-changed'
  /** The token, or Permit2, takes no signature where it said that it would. */
  | 'no-permit'
  | 'below-floor'
  /** The minimum received is far below the market price, and the user did not accept that loss. */
  | 'below-market'
  | 'stale-review'
  /** The network fee, or its tip (`fact`), is above the limit of the network: `found` and `expected`, in wei. */
  | 'fee-too-high'
  | 'not-enough-gas'
  /** Tried out before it was signed, it failed. Nothing was signed for it. */
  | 'would-fail'
  /** Mined, and refused by the chain. */
  | 'reverted'
  | 'replaced'
  | 'dropped'
  /** The user's own cancellation was mined in its place. */
  | 'cancelled'
  /** It was mined before another could take its place. */
  | 'already-mined'
  /** Its rivals with the same number pay nearly as much: `maxFeePerGas` and `maxPriorityFeePerGas` are the least that it takes. */
  | 'underpriced'
  | 'worker-stopped'
  | 'internal'
  // the swap service: its answers…
  | 'no-route'
  | 'unknown-token'
  | 'not-enough-balance'
  | 'not-enough-allowance'
  | 'estimation-failed'
  | 'refused-request'
  | 'service-forbidden'
  | 'service-busy'
  | 'service-failed'
  // …and its failures to answer
  | 'service-unreachable'
  | 'service-timeout'
  | 'service-garbled'
  // the EVM node
  | 'node-unreachable'
  | 'node-timeout'
  | 'node-refused'
  | 'wrong-chain'
  | 'aborted'
  // a page's request
  | 'invalid-request'
  | 'unknown-method'
  | 'unsupported-method'
  | 'invalid-params'
  | 'not-connected'
  | 'throttled'
  /** More bytes than a site may have in the wallet, or a second. */
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
  /**
   * The node's own refusal, passed on: `rpcCode`, `rpcMessage` and `rpcData` are its words. `isRevert`: of a
   * contract, with `revertData`.
   */
  | 'node-answered'

/** Facts that belong to an error, as text: the service's own code and request id, amounts that disagreed. Never a secret. */
export type ErrorDetails = Readonly<Record<string, string>>

/**
 * The one error of the wallet. `code` is for programs and survives every border, `message` is for people and names what
 * and where, `facts` are the numbers behind it, `cause` is for us and stays on this side of a border.
 */
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

/** `error` itself when it is ours; anything else becomes `internal`, keeping the original as its cause. */
export function toWalletError(error: unknown): WalletError {
  if (error instanceof WalletError) return error
  return new WalletError('internal', 'Something unexpected happened inside the wallet.', {}, { cause: error })
}
