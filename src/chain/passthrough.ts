import { type ErrorFacts, toWalletError, WalletError } from '../errors.ts'
import { looks } from './node.ts'
import type { Nodes } from './nodes.ts'

/**
 * A call that somebody else makes of a node, answered in the node's own words. Throws `node-answered` when it refuses,
 * `node-unreachable` or `node-timeout` when there is no answer.
 */
export type Passthrough = (method: string, params: unknown[]) => Promise<unknown>

/**
 * Logs and whole blocks have longer than our own reads: pages ask for many. They try again themselves, so one more try is enough here.
 * A transaction is sent once, in 10 s.
 */
export function createPassthrough(nodes: Nodes): Passthrough {
  const reads = nodes.ask(looks)
  const longReads = nodes.ask({ deadlineMs: 15_000, retries: 1 })
  const sends = nodes.ask({ deadlineMs: 10_000, retries: 0 })

  return async (method, params) => {
    const ask = method === 'eth_sendRawTransaction' ? sends : /Logs|Block/.test(method) ? longReads : reads
    const answer = await ask(method, params, (answer) => answer).catch((error: unknown) => {
      throw silence(toWalletError(error))
    })
    if ('result' in answer) return answer.result
    throw new WalletError('node-answered', `The node refused ${method}.`, wordsOf(answer.error))
  }
}

/** An answer that is none, or an address that is none: for a page there is no node. */
function silence(error: WalletError): WalletError {
  if (error.code !== 'node-refused' && error.code !== 'invalid-input') return error
  return new WalletError('node-unreachable', error.message, error.facts, { cause: error })
}

/** JSON-RPC 2.0, section 5.1. A node that gives no code gets the general one of EIP-1474. */
function wordsOf(error: object): ErrorFacts {
  const { code, message, data } = error as Record<string, unknown>
  return {
    rpcCode: String(Number.isSafeInteger(code) ? code : -32000),
    rpcMessage: typeof message === 'string' ? message : '',
    ...(data === undefined || data === null
      ? {}
      : { rpcData: typeof data === 'string' ? data : JSON.stringify(data) }),
  }
}
