import * as v from 'valibot'
import type { ServicePrices } from '../../api/prices.ts'
import { getService, type Network } from '../../domain/network/network.ts'
import { parseOrUndefined } from '../../domain/parseOrUndefined.ts'
import { toWalletError } from '../../errors.ts'
import type { ServiceLimit } from '../quotes/serviceLimit.ts'
import type { StorageArea } from '../storage.ts'

/** `only`: makes no request. */
export type ServicePriceLists = (
  network: Network,
  only?: 'stored',
) => Promise<{ at: number; prices: ServicePrices }>

type Deps = {
  /** Outlives the worker, so that a restart asks no sooner. */
  session: StorageArea
  fetchPrices(network: Network): Promise<ServicePrices>
  /** Shared with quotes, which come first. */
  limit: Pick<ServiceLimit, 'tryTake'>
  now(): number
}

/** Also the longest `Retry-After` that errors carry (`api/serviceError.ts`). */
const everyMs = 60_000
/** After an answer that says the service has no prices. */
const absentMs = 3_600_000
/** A list that could not be renewed. */
const oldestMs = 600_000

const recordShape = v.object({
  service: v.string(),
  at: v.number(),
  nextAt: v.number(),
  prices: v.record(v.string(), v.string()),
})

/**
 * Reads a service's prices of its whole list at most once a minute, only for a service that the user set.
 * Never throws: without an answer the older list counts for ten minutes.
 */
export function createServicePrices({ session, fetchPrices, limit, now }: Deps): ServicePriceLists {
  const keyOf = ({ chainId }: Network) => `prices.${chainId}`
  const running = new Map<string, Promise<v.InferOutput<typeof recordShape>>>()

  async function getKnown(network: Network, service: string): Promise<v.InferOutput<typeof recordShape>> {
    const stored = parseOrUndefined(recordShape, await session.get(keyOf(network)))
    return stored?.service === service ? stored : { service, at: 0, nextAt: 0, prices: {} }
  }

  async function renew(network: Network, service: string): Promise<v.InferOutput<typeof recordShape>> {
    const known = await getKnown(network, service)
    if (known.nextAt > now() && known.nextAt <= now() + absentMs) return known
    if (!limit.tryTake(service)) return known
    const record = await fetchPrices(network).then(
      (prices) => ({ service, at: now(), nextAt: now() + everyMs, prices }),
      (error: unknown) => {
        const isAbsent = ['refused-request', 'service-garbled'].includes(toWalletError(error).code)
        return { ...known, nextAt: now() + (isAbsent ? absentMs : everyMs) }
      },
    )
    await session.set({ [keyOf(network)]: record })
    return record
  }

  async function readNow(network: Network, service: string) {
    const reading = running.get(service) ?? renew(network, service).finally(() => running.delete(service))
    running.set(service, reading)
    return reading
  }

  return async (network, only) => {
    // Old services have none.
    if (network.serviceUrl === '' || network.serviceVersion === '3.0') return { at: 0, prices: {} }
    const service = getService(network)
    const { at, prices } = await (only ? getKnown(network, service) : readNow(network, service))
    return now() - at > oldestMs ? { at, prices: {} } : { at, prices }
  }
}
