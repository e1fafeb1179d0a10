import { keccak256 } from '../domain/hash.ts'
import type { Hex } from '../domain/token/token.ts'
import { toWalletError, WalletError } from '../errors.ts'
import { looks } from './node.ts'
import type { Nodes } from './nodes.ts'
import { isKnown } from './refusal.ts'

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
  const reads = nodes.askForPage({ ...looks, mostBytes: 1_000_000 })
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
      throw silence(toWalletError(error))
    })
    if ('result' in answer) return answer.result
    const words = wordsOf(answer.error)
    const [raw] = params
    // Asked twice, or asked of another node, which has it from the first. A blob's hash leaves out a part of what was sent.
    const isPlain = typeof raw === 'string' && /^0x(?!03)([0-9a-f]{2})+$/i.test(raw)
    if (ask === sends && isPlain && isKnown(words.rpcMessage)) return keccak256(raw as Hex)
    throw new WalletError('node-answered', `The node refused ${method}.`, words)
  }
}

/** An answer that is none, or an address that is none: for a page there is no node. */
function silence(error: WalletError): WalletError {
  if (error.code !== 'node-refused' && error.code !== 'invalid-input') return error
  return new WalletError('node-unreachable', error.message, error.facts, { cause: error })
}

/** JSON-RPC 2.0, section 5.1. A node that gives no code gets the general one of EIP-1474. */
function wordsOf(error: object) {
  const { code, message, data } = error as Record<string, unknown>
  return {
    rpcCode: String(Number.isSafeInteger(code) ? code : -32000),
    rpcMessage: typeof message === 'string' ? message : '',
    ...(data === undefined || data === null
      ? {}
      : { rpcData: typeof data === 'string' ? data : JSON.stringify(data) }),
  }
}
