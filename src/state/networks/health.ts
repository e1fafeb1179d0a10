import type { Network } from '../../domain/network/network.ts'
import type { ErrorCode } from '../../errors.ts'
import type { NetworksApi } from '../../protocol.ts'
import type { Clock } from '../clock.ts'

export type NetworkEndpoint = 'node' | 'spare' | 'service'

/**
 * `ms`: response time, for the service an upper bound, undefined when failing RPCs delayed it. `found`: the
 * other chain an RPC serves. `lacks`: missing RPC features.
 */
export type EndpointHealth = { part: NetworkEndpoint; isInUse: boolean } & (
  | { ms: number | undefined; block?: { number: bigint; timestamp: number }; lacks?: string[] }
  | { fault: ErrorCode; found?: string | undefined }
)

/** Returns the identity of what a check asks: another one needs a new check. */
export function getEndpoints(network: Network): string {
  const { chainId, serviceUrl, serviceVersion, serviceKey, rpcUrl, spareRpcUrl } = network
  return JSON.stringify([chainId, serviceUrl, serviceVersion, serviceKey, rpcUrl, spareRpcUrl])
}

/** Requires host permissions (networkChanges.ts). */
export function createNetworkHealth(wallet: NetworksApi, clock: Pick<Clock, 'now'>) {
  const looking = new Map<string, Promise<EndpointHealth[]>>()
  return {
    /** Null unless the backup RPC is in use; `why`: the main RPC's error. */
    async onSpare(chainId: number): Promise<{ why: ErrorCode | undefined } | null> {
      const { nodes } = await wallet.health(chainId)
      const [node, spare] = nodes
      if (!spare?.isInUse || 'fault' in spare) return null
      return { why: node && 'fault' in node ? node.fault : undefined }
    },

    /** Single-flight by endpoints. */
    look(network: Network): Promise<EndpointHealth[]> {
      const endpoints = getEndpoints(network)
      const known = looking.get(endpoints)
      if (known !== undefined) return known
      const work = check(network).finally(() => looking.delete(endpoints))
      looking.set(endpoints, work)
      return work
    },
  }

  async function check({ chainId, rpcUrl, spareRpcUrl }: Network): Promise<EndpointHealth[]> {
    const urls = [rpcUrl, spareRpcUrl ?? ''].filter((url) => url !== '')
    const began = clock.now()
    const [heard, { nodes, service, ms }, lacking] = await Promise.all([
      Promise.all(urls.map((url) => timed(wallet.readChainId(url)))),
      wallet.health(chainId).then((health) => ({ ...health, ms: clock.now() - began })),
      lacksOf(chainId),
    ])
    const found = nodes.map(({ isInUse, ...node }, index): EndpointHealth => {
      const part = { part: index === 0 ? 'node' : 'spare', isInUse } as const
      const { answer, ms } = heard[index] ?? {}
      if ('fault' in node) {
        const isOther = node.fault === 'wrong-chain' && answer !== undefined
        return { ...part, fault: node.fault, ...(isOther && { found: String(answer) }) }
      }
      const { number, timestamp } = node
      const lacks = lacking[index] ?? []
      return { ...part, ms, block: { number, timestamp }, ...(lacks.length > 0 && { lacks }) }
    })
    if (service === undefined) return found
    const isHeldUp = found.some((one) => 'fault' in one)
    const asked = { part: 'service', isInUse: true } as const
    return [
      ...found,
      service === 'answers' ? { ...asked, ms: isHeldUp ? undefined : ms } : { ...asked, fault: service },
    ]
  }

  /** Optional. */
  async function lacksOf(chainId: number): Promise<string[][]> {
    try {
      return await wallet.missingFeatures(chainId)
    } catch {
      return []
    }
  }

  /** `health` reports failures. */
  async function timed<Answer>(asked: Promise<Answer>): Promise<{ answer?: Answer; ms?: number }> {
    const began = clock.now()
    return asked.then((answer) => ({ answer, ms: clock.now() - began })).catch(() => ({}))
  }
}
