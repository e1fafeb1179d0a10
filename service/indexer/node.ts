import {
  BaseError,
  CallExecutionError,
  ContractFunctionExecutionError,
  createPublicClient,
  ExecutionRevertedError,
  HttpRequestError,
  type HttpTransport,
  http,
  InsufficientFundsError,
  type PublicClient,
  TimeoutError,
} from 'viem'

/** The EVM node that answers what the snapshot does not hold: one account's balances, one swap's simulation. */
export type Node = PublicClient

/** Requests made in one turn of the event loop travel together (JSON-RPC batch). */
export function connectNode(rpcUrl: string): Node {
  return createPublicClient({ transport: createTransport(rpcUrl, { batch: true }) })
}

/** The time from a request to the end of its response. viem's own bound ends at the response's headers. */
const responseMs = 15_000

/** HTTP transport to a node. Each request ends within `endMs`, also when the node stops within a response. */
export function createTransport(rpcUrl: string, { batch = false, endMs = responseMs } = {}): HttpTransport {
  return http(rpcUrl, {
    batch,
    timeout: 10_000,
    retryCount: 1,
    fetchFn(input, init) {
      const end = AbortSignal.timeout(endMs)
      return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, end]) : end })
    },
  })
}

/** Passes when `error` is a contract's answer to a call; everything else is the node's own failure, and is thrown on. */
export function requireRpcError(error: unknown): undefined {
  if (!isUnreadable(error) && !isHalt(error)) throw error
}

/**
 * Whether the node gave no answer: it is away, too slow or overloaded, and a smaller question will not help. 400 and 413 are
 * how some refuse a question for its size.
 */
export function isNetworkError(error: unknown): boolean {
  return (
    error instanceof BaseError &&
    error.walk((cause) => {
      if (cause instanceof HttpRequestError) return cause.status !== 400 && cause.status !== 413
      return cause instanceof TimeoutError
    }) !== null
  )
}

/**
 * Whether the node was asked at a block that it does not have: one was taken back, or of several nodes behind one address this one lags.
 * There is no code for it; the words are geth's and its kin's, and anvil's.
 */
export function isBlockMissing(error: unknown): boolean {
  return (
    error instanceof BaseError &&
    error.walk((cause) => cause instanceof BaseError && goneWords.test(cause.details)) !== null
  )
}

const goneWords = /(header|block) (not found|height is \d+ but requested)|unknown block/i

/** The call went through, and what came back is nothing or of another type. */
function isUnreadable(error: unknown): boolean {
  if (!(error instanceof ContractFunctionExecutionError)) return false
  return error.walk((cause) => cause instanceof CallExecutionError) === null
}

/** The execution began and did not end well, or its sender could not pay for it. */
function isHalt(error: unknown): boolean {
  return (
    error instanceof BaseError &&
    error.walk((cause) => {
      if (cause instanceof ExecutionRevertedError || cause instanceof InsufficientFundsError) return true
      return cause instanceof BaseError && haltWords.test(cause.details)
    }) !== null
  )
}

/** Besides reverts, for which there is a code: old contracts end with an invalid opcode, and nodes word that themselves (anvil, geth). */
const haltWords = /^(EVM error|invalid opcode|invalid jump|out of gas|stack (under|over)flow)/i
