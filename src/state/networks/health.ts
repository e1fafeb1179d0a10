import type { Network } from '../../domain/network/network.ts'
import type { ErrorCode } from '../../errors.ts'
import type { NetworksApi } from '../../protocol.ts'
import type { Clock } from '../clock.ts'

export type NetworkEndpoint = 'node' | 'spare' | 'service'

/**
 * How somebody that a network names does. `ms`: an answer took that long; the service's at the most, and left out where others held it up.
 * `found` is the chain of a node that serves another one, `lacks` what a node does not offer, by name.
 */
export type EndpointHealth = { part: NetworkEndpoint; isInUse: boolean } & (
  | { ms: number | undefined; block?: { number: bigint; timestamp: number }; lacks?: string[] }
  | { fault: ErrorCode; found?: string | undefined }
)

/** What the settings' screens ask of those whom networks name. The browser has to allow their hosts before (networkChanges.ts). */
export function createNetworks(wallet: NetworksApi, clock: Pick<Clock, 'now'>) {
  return {
    /** Whether the spare node of a network stands in, and why its own does not answer, where that is known. `null` while it does not. */
    async onSpare(chainId: number): Promise<{ why: ErrorCode | undefined } | null> {
      const { nodes } = await wallet.health(chainId)
      const [node, spare] = nodes
      if (!spare?.isInUse || 'fault' in spare) return null
      return { why: node && 'fault' in node ? node.fault : undefined }
    },

    /** Asks all that a network names how they are, and nobody else. */
    async look({ chainId, rpcUrl, spareRpcUrl }: Network): Promise<EndpointHealth[]> {
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
    },
  }

  /** Beside the point of a look: without it the rest is shown. */
  async function lacksOf(chainId: number): Promise<string[][]> {
    try {
      return await wallet.missingFeatures(chainId)
    } catch {
      return []
    }
  }

  /** What was answered, and after how many milliseconds. Nothing where nobody did: `health` says why. */
  async function timed<Answer>(asked: Promise<Answer>): Promise<{ answer?: Answer; ms?: number }> {
    const began = clock.now()
    return asked.then((answer) => ({ answer, ms: clock.now() - began })).catch(() => ({}))
  }
}
