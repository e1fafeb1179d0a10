import type { Network, NodeHealth } from '../../domain/network/network.ts'
import { toWalletError } from '../../errors.ts'
import type { HttpDeps } from '../../httpClient.ts'
import { readMissingFeatures } from './missingFeatures.ts'
import { createNode, type Node, pollLimits } from './node.ts'
import { createRpc, type RpcLimits, type RpcRequest, type RpcResult } from './rpc.ts'
import { block } from './schemas.ts'

/** RPC and backup RPC of a network. After a failure the backup RPC is used for a minute. */
export type RpcFallback = {
  /** Throws the first RPC's error if both fail. */
  ask(limits: RpcLimits): RpcRequest
  /** Timeouts of dapp requests do not mark an RPC as silent. */
  askForPage(limits: RpcLimits): RpcRequest
  /** Undefined for RPCs that fail; throws if all do. Does not wait for silent ones. */
  askAll(
    limits: RpcLimits,
  ): <Read>(method: string, params: unknown[], read: Reading<Read>) => Promise<(Read | undefined)[]>
  missedAnswers(): number
  /** Verifies all chain ids, and waits for the RPC in use. */
  verify(): Promise<void>
  health(): Promise<NodeHealth[]>
  missingFeatures(): Promise<string[][]>
}

export type FallbackDeps = HttpDeps & {
  /** Monotonic clock, in ms. */
  now?: () => number
}

type Reading<Read> = (answer: RpcResult) => Read

const standInMs = 60_000

export function createFallback(
  network: Pick<Network, 'chainId' | 'name' | 'rpcUrl' | 'spareRpcUrl'>,
  { now = () => performance.now(), ...parts }: FallbackDeps = {},
): RpcFallback {
  const { rpcUrl, spareRpcUrl } = network
  const urls = spareRpcUrl ? [rpcUrl, spareRpcUrl] : [rpcUrl]
  const nodes = urls.map((url) => createNode(url, network, parts))
  const silent = new Set<Node>()
  let spareUntil = 0
  let missing = 0

  const inOrder = () => (now() < spareUntil ? [...nodes].reverse() : nodes)

  function use(node: Node | undefined, order: Node[]): void {
    if (node !== order[0]) spareUntil = node === nodes[0] ? 0 : now() + standInMs
  }

  async function heard<Said>(node: Node, answer: Promise<Said>): Promise<Said> {
    const code = await answer.then(
      () => undefined,
      (error: unknown) => toWalletError(error).code,
    )
    if (code === 'node-timeout') silent.add(node)
    else silent.delete(node)
    return answer
  }

  async function tryInOrder<Done>(
    limits: RpcLimits,
    work: (node: Node, share: RpcLimits) => Promise<Done>,
  ): Promise<Done> {
    const end = now() + limits.deadlineMs
    const order = inOrder()
    let failure: unknown
    for (const node of order) {
      const isLast = node === order.at(-1)
      const left = { ...limits, deadlineMs: Math.max(1, Math.ceil(end - now())) }
      try {
        const done = await work(node, isLast ? left : hurry(limits))
        use(node, order)
        return done
      } catch (error) {
        failure ??= error
      }
    }
    throw failure
  }

  return {
    ask: (limits) => (method, params, read) =>
      tryInOrder(limits, (node, share) => heard(node, node.ask(share)(method, params, read))),
    askForPage: (limits) => (method, params, read) =>
      tryInOrder(limits, (node, share) => node.ask(share)(method, params, read)),
    askAll: (limits) => async (method, params, read) => {
      const each = nodes.length > 1 ? hurry(limits) : limits
      const order = inOrder()
      const answers = order.map((node) => heard(node, node.ask(each)(method, params, read)))
      const anyone = Promise.any(answers).catch(() => undefined)
      const said = await Promise.allSettled(
        order.map((node, index) => {
          const answer = answers[index]
          return silent.has(node) ? anyone.then(() => Promise.race([answer, Promise.reject()])) : answer
        }),
      )
      missing += said.filter(
        (one) => 'reason' in one && toWalletError(one.reason).code !== 'wrong-chain',
      ).length
      const best = said.findIndex((one) => 'value' in one)
      if (best < 0) return Promise.all(answers)
      if (order[0] && silent.has(order[0])) use(order[best], order)
      return said.map((one) => ('value' in one ? one.value : undefined))
    },
    missedAnswers: () => missing,
    async verify() {
      for (const node of inOrder().slice(1)) node.verify(pollLimits).catch(() => undefined)
      await tryInOrder(pollLimits, (node, share) => heard(node, node.verify(share)))
    },
    missingFeatures: () =>
      Promise.all(nodes.map((node) => readMissingFeatures(createRpc(node.ask(pollLimits))).catch(() => []))),
    async health() {
      const newest = (node: Node) =>
        createRpc(node.ask(pollLimits))
          .ask('eth_getBlockByNumber', ['latest', false], block)
          .catch(toWalletError)
      const found = await Promise.all(nodes.map(newest))
      const [inUse] = inOrder()
      return found.map((one, index) => ({
        isInUse: nodes[index] === inUse,
        ...('code' in one ? { fault: one.code } : one),
      }))
    },
  }
}

function hurry(limits: RpcLimits): RpcLimits {
  return { ...limits, deadlineMs: limits.deadlineMs / 2, retries: 0 }
}
