import { BaseError, createPublicClient, HttpRequestError, http, type PublicClient, TimeoutError } from 'viem'

/** The EVM node that answers what the snapshot does not hold: one account's balances, one swap's simulation. */
export type Node = PublicClient

/** Requests made in one turn of the event loop travel together (JSON-RPC batch). */
export function connectNode(rpcUrl: string): Node {
  return createPublicClient({ transport: http(rpcUrl, { batch: true, timeout: 10_000, retryCount: 1 }) })
}

/** Passes when `error` is a contract's answer to a call it does not know; throws it on when the node did not answer at all. */
export function requireRefusal(error: unknown): undefined {
  const isNodeFault = (cause: unknown) => cause instanceof HttpRequestError || cause instanceof TimeoutError
  if (!(error instanceof BaseError) || error.walk(isNodeFault) !== null) throw error
}
