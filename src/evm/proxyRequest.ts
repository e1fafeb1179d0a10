import { keccak256 } from '../domain/hash.ts'
import type { Hex } from '../domain/token/token.ts'
import { type ErrorDetails, toWalletError, WalletError } from '../errors.ts'
import { parseErrorObject } from './errorObject.ts'
import type { Nodes } from './fallback.ts'
import { pollLimits } from './node.ts'
import { type RpcError, toPageError } from './rpc.ts'
import { rpcErrorKind } from './rpcErrorKind.ts'

/**
 * A call that somebody else makes of a node, answered in the node's own words. Throws `node-answered` when it refuses,
 * `node-unreachable` or `node-timeout` when there is no answer.
 */
export type Passthrough = (method: string, params: unknown[]) => Promise<unknown>

/**
 * Logs and whole blocks have longer than our own reads, and fewer tries: pages ask for many, and try again themselves. A transaction is
 * sent once, in 10 s. The answers to anything else are short: all that pages wait for are in the worker's memory at once.
 */
export function createPassthrough(nodes: Nodes): Passthrough {
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
    // Asked twice, or asked of another node, which has it from the first. A blob's hash leaves out a part of what was sent.
    const isPlain = typeof raw === 'string' && /^0x(?!03)([0-9a-f]{2})+$/i.test(raw)
    const refusal = parseErrorObject(answer.error)
    const kind = rpcErrorKind(refusal)
    if (ask === sends && isPlain && kind === 'known') return keccak256(raw as Hex)
    throw refused(method, { ...toPageError(answer.error), ...(kind === 'revert' && revertFacts(refusal)) })
  }
}

/**
 * An answer that is none, or an address that is none: for a page there is no node. One that no other RPC
 * could stand in for is told by its own words.
 */
function silence(error: WalletError, method: string): WalletError {
  const { rpcCode, rpcMessage, rpcData } = error.facts
  if (rpcCode !== undefined && rpcMessage !== undefined && error.facts.method === method) {
    return refused(method, { rpcCode, rpcMessage, ...(rpcData !== undefined && { rpcData }) })
  }
  if (error.code !== 'node-refused' && error.code !== 'invalid-input') return error
  return new WalletError('node-unreachable', error.message, error.facts, { cause: error })
}

/** For the wallet's own pages: wherever the node wrote the data. */
function revertFacts({ data }: RpcError): ErrorDetails {
  return { isRevert: 'true', ...(data !== undefined && { revertData: data }) }
}

function refused(method: string, words: ErrorDetails): WalletError {
  return new WalletError('node-answered', `The node refused ${method}.`, words)
}
