import type { Network, NodeHealth } from '../domain/network/network.ts'
import { toWalletError } from '../errors.ts'
import type { WireParts } from '../wire.ts'
import { block } from './answers.ts'
import { createNode, looks, type Node } from './node.ts'
import { type Answer, type Ask, type AskLimits, createRpc } from './rpc.ts'

/**
 * A network's node, and the spare one where there is one, as one place to ask. Who says nothing, or nothing that makes sense, is passed
 * over; the spare then stands in for a minute before the first is tried again.
 */
export type Nodes = {
  /** Asks the node in use, then the other one. Throws as the first does when neither answers. */
  ask(limits: AskLimits): Ask
  /** Asks all of them, the node in use first: what each says, undefined of the silent. Throws as `ask` when all are. */
  askAll(
    limits: AskLimits,
  ): <Read>(method: string, params: unknown[], read: Reading<Read>) => Promise<(Read | undefined)[]>
  /** How many answers are missing so far of what all were asked: who did not answer may know what the other does not. */
  unheard(): number
  /** Asks each for its chain once more. Throws as the first does when it is not the network's on any. */
  verify(): Promise<void>
  health(): Promise<NodeHealth[]>
}

export type NodesParts = WireParts & {
  /** Milliseconds, of a clock that never jumps. */
  now?: () => number
}

type Reading<Read> = (answer: Answer) => Read

const standInMs = 60_000

export function createNodes(
  network: Pick<Network, 'chainId' | 'name' | 'rpcUrl' | 'spareRpcUrl'>,
  { now = () => performance.now(), ...parts }: NodesParts = {},
): Nodes {
  const { rpcUrl, spareRpcUrl } = network
  const urls = spareRpcUrl ? [rpcUrl, spareRpcUrl] : [rpcUrl]
  const nodes = urls.map((url) => createNode(url, network, parts))
  let spareUntil = 0
  let missing = 0

  const inOrder = () => (now() < spareUntil ? [...nodes].reverse() : nodes)

  async function inTurn<Done>(work: (node: Node, isLast: boolean) => Promise<Done>): Promise<Done> {
    const order = inOrder()
    let failure: unknown
    for (const node of order) {
      try {
        const done = await work(node, node === order.at(-1))
        if (node !== order[0]) spareUntil = node === nodes[0] ? 0 : now() + standInMs
        return done
      } catch (error) {
        failure ??= error
      }
    }
    throw failure
  }

  return {
    ask: (limits) => (method, params, read) => {
      const end = now() + limits.deadlineMs
      // What the first took, the last has less.
      return inTurn((node, isLast) =>
        node.ask(isLast ? { ...limits, deadlineMs: Math.max(1, Math.ceil(end - now())) } : hurry(limits))(
          method,
          params,
          read,
        ),
      )
    },
    askAll: (limits) => async (method, params, read) => {
      const each = nodes.length > 1 ? hurry(limits) : limits
      const asked = inOrder().map((node) => node.ask(each)(method, params, read))
      const said = await Promise.allSettled(asked)
      // One of another chain has nothing to say.
      missing += said.filter(
        (one) => 'reason' in one && toWalletError(one.reason).code !== 'wrong-chain',
      ).length
      // None: then the first one throws.
      return said.some((one) => 'value' in one)
        ? said.map((one) => ('value' in one ? one.value : undefined))
        : Promise.all(asked)
    },
    unheard: () => missing,
    async verify() {
      const said = await Promise.allSettled(nodes.map((node) => node.verify()))
      const [first] = said
      if (first?.status === 'rejected' && said.every(({ status }) => status === 'rejected'))
        throw first.reason
    },
    async health() {
      const newest = (node: Node) =>
        createRpc(node.ask(looks)).ask('eth_getBlockByNumber', ['latest', false], block).catch(toWalletError)
      const found = await Promise.all(nodes.map(newest))
      const [inUse] = inOrder()
      return found.map((one, index) => ({
        isInUse: nodes[index] === inUse,
        ...('code' in one ? { fault: one.code } : one),
      }))
    },
  }
}

/** Somebody else can be asked. */
function hurry({ deadlineMs }: AskLimits): AskLimits {
  return { deadlineMs: deadlineMs / 2, retries: 0 }
}
