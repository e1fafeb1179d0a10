import type { Network } from '../domain/network/network.ts'
import { WalletError } from '../errors.ts'
import type { WireParts } from '../wire.ts'
import { count } from './answers.ts'
import { type Ask, type AskLimits, createAsk, createRpc } from './rpc.ts'

/** One node of a network. It is asked for its chain before anything else, once: what serves another chain is never used. */
export type Node = {
  ask(limits: AskLimits): Ask
  /** Asks for the chain once more. Throws `wrong-chain` when it is not the network's. */
  verify(): Promise<void>
}

/** Of a read (docs/security.md, network policy). */
export const looks: AskLimits = { deadlineMs: 5_000, retries: 3 }

export function createNode(
  url: string,
  { chainId, name }: Pick<Network, 'chainId' | 'name'>,
  parts: WireParts,
): Node {
  let served: Promise<void> | undefined

  const connect = (limits: AskLimits) => createAsk({ ...parts, ...limits, url })

  async function checkChain(ask: Ask): Promise<void> {
    const found = await askChainId(ask)
    if (found === chainId) return
    throw new WalletError('wrong-chain', `The node serves chain ${found}, but ${name} is chain ${chainId}.`, {
      expected: String(chainId),
      found: String(found),
    })
  }

  function verify(ask: Ask): Promise<void> {
    served = checkChain(ask)
    served.catch(() => {
      served = undefined
    })
    return served
  }

  function ask(limits: AskLimits): Ask {
    const connected = connect(limits)
    return async (...question) => {
      await (served ?? verify(connected))
      return connected(...question)
    }
  }

  return {
    ask,
    verify: () => verify(connect(looks)),
  }
}

/** The chain that the node at `url` says it serves. */
export function readChainId(url: string): Promise<number> {
  return askChainId(createAsk({ ...looks, url }))
}

function askChainId(ask: Ask): Promise<number> {
  return createRpc(ask).ask('eth_chainId', [], count)
}
