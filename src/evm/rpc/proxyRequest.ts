import { keccak256 } from 'viem'
import type { Hex } from '../../domain/token/token.ts'
import { type ErrorDetails, toWalletError, WalletError } from '../../errors.ts'
import { parseErrorObject, type RpcError } from './errorObject.ts'
import type { RpcFallback } from './fallback.ts'
import { pollLimits } from './node.ts'
import { toPageError } from './rpc.ts'
import { rpcErrorKind } from './rpcErrorKind.ts'

/** Passes a dapp request on. Throws `node-answered`, `node-unreachable` or `node-timeout`. */
export type ProxyRequest = (method: string, params: unknown[]) => Promise<unknown>

/**
 * Creates a `ProxyRequest`. Logs and blocks get more time and a larger size limit; other answers are small,
 * because all pending ones are in the worker's memory.
 */
export function createProxyRequest(nodes: RpcFallback): ProxyRequest {
  const reads = nodes.askForPage({ ...pollLimits, mostBytes: 1_000_000 })
  const longReads = nodes.askForPage({ deadlineMs: 15_000, retries: 1 })
  const sends = nodes.askForPage({ deadlineMs: 10_000, retries: 0 })

  return async (method, params) => {
    const ask =
      method === 'eth_sendRawTransaction'
        ? sends
        : /Logs|Block|FilterChanges/.test(method)
          ? longReads
          : reads
    const answer = await ask(method, params, (answer) => answer).catch((error: unknown) => {
      throw silence(toWalletError(error), method)
    })
    if ('result' in answer) return answer.result
    const [raw] = params
    // Already sent. A blob transaction's hash covers only a part.
    const isPlain = typeof raw === 'string' && /^0x(?!03)([0-9a-f]{2})+$/i.test(raw)
    const refusal = parseErrorObject(answer.error)
    const kind = rpcErrorKind(refusal)
    if (ask === sends && isPlain && kind === 'known') return keccak256(raw as Hex)
    throw refused(method, { ...toPageError(answer.error), ...(kind === 'revert' && revertFacts(refusal)) })
  }
}

function silence(error: WalletError, method: string): WalletError {
  const { rpcCode, rpcMessage, rpcData } = error.facts
  if (rpcCode !== undefined && rpcMessage !== undefined && error.facts.method === method) {
    return refused(method, { rpcCode, rpcMessage, ...(rpcData !== undefined && { rpcData }) })
  }
  if (error.code !== 'node-refused' && error.code !== 'invalid-input') return error
  return new WalletError('node-unreachable', error.message, error.facts, { cause: error })
}

function revertFacts({ data }: RpcError): ErrorDetails {
  return { isRevert: 'true', ...(data !== undefined && { revertData: data }) }
}

function refused(method: string, words: ErrorDetails): WalletError {
  return new WalletError('node-answered', `The node refused ${method}.`, words)
}
