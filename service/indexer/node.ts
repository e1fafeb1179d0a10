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
  InvalidParamsRpcError,
  LimitExceededRpcError,
  type PublicClient,
  TimeoutError,
} from 'viem'

/** Reads outside the snapshot: balances and simulations. */
export type Node = PublicClient

/** Connects to an RPC, with batched requests. */
export function connectRpc(rpcUrl: string): Node {
  return createPublicClient({ transport: createTransport(rpcUrl, { batch: true }) })
}

/** viem's timeout ends at the headers. */
const responseMs = 15_000

/** Creates an HTTP transport; a request ends within `endMs`, even if the body stalls. */
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

/** Rethrows errors other than a contract's. */
export function requireRpcError(error: unknown): undefined {
  if (!isUnreadable(error) && !isHalt(error)) throw error
}

/** True if the RPC failed, so that a smaller request would not help; 400 and 413 may reject a large one. */
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
 * True if the RPC lacks the block (reorganized, or a lagging replica). Messages of geth and anvil, without a
 * code.
 */
export function isBlockMissing(error: unknown): boolean {
  return (
    error instanceof BaseError &&
    error.walk((cause) => cause instanceof BaseError && goneWords.test(cause.details)) !== null
  )
}

const goneWords = /(header|block) (not found|height is \d+ but requested)|unknown block/i

/** True if the RPC does not know a parameter's form, e.g. a block's hash instead of its number (EIP-1898). */
export function isParamsRefused(error: unknown): boolean {
  return error instanceof BaseError && error.walk((cause) => cause instanceof InvalidParamsRpcError) !== null
}

/** True if the RPC grants no more requests for now (EIP-1474). */
export function isRateLimit(error: unknown): boolean {
  return error instanceof BaseError && error.walk((cause) => cause instanceof LimitExceededRpcError) !== null
}

/** True if a contract failed: it reverted, or ran out of gas. All else is the RPC's failure. */
export function isContractFailure(error: unknown): boolean {
  return (
    error instanceof BaseError &&
    error.walk((cause) => {
      if (cause instanceof ExecutionRevertedError) return true
      return cause instanceof BaseError && haltWords.test(cause.details)
    }) !== null
  )
}

function isUnreadable(error: unknown): boolean {
  if (!(error instanceof ContractFunctionExecutionError)) return false
  return error.walk((cause) => cause instanceof CallExecutionError) === null
}

function isHalt(error: unknown): boolean {
  return (
    error instanceof BaseError &&
    (isContractFailure(error) || error.walk((cause) => cause instanceof InsufficientFundsError) !== null)
  )
}

/** An invalid opcode (old contracts) has no error code. Messages of anvil, geth and Nethermind. */
const haltWords = /^(EVM error|invalid opcode|invalid jump|out ?of ?gas|stack (under|over)flow)/i
