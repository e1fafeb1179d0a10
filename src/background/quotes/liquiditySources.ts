import { getService } from '../../domain/network/network.ts'
import type { Networks } from '../networks/networks.ts'

export type LiquiditySources = (chainId: number) => Promise<{ id: string; title: string }[]>

const freshForMs = 10 * 60 * 1_000

/** Caches sources for ten minutes per swap service. */
export function createLiquiditySources(
  networks: Pick<Networks, 'network' | 'api'>,
  now: () => number = () => performance.now(),
): LiquiditySources {
  const known = new Map<string, { at: number; sources: ReturnType<LiquiditySources> }>()

  async function read(chainId: number) {
    return (await networks.api(chainId)).sources()
  }

  return async (chainId) => {
    const key = getService(await networks.network(chainId))
    const before = known.get(key)
    if (before !== undefined && now() - before.at < freshForMs) return before.sources
    const sources = read(chainId)
    known.set(key, { at: now(), sources })
    sources.catch(() => known.delete(key))
    return sources
  }
}
