import * as v from 'valibot'
import type { Network, Settings } from '../../domain/network/network.ts'
import { parseOrUndefined } from '../../domain/parseOrUndefined.ts'
import type { Address } from '../../domain/token/token.ts'
import { type Currency, type CurrencyRate, dollars } from '../../domain/value/currency.ts'
import { getCurrencyFeed } from '../../domain/value/currencyFeeds.ts'
import { within } from '../../lib/async/within.ts'
import type { Networks } from '../networks/networks.ts'
import type { StorageArea } from '../storage.ts'

type Deps = {
  networks: Pick<Networks, 'chain'>
  settings: { get(): Promise<Pick<Settings, 'currency' | 'networks'>> }
  session: StorageArea
  now(): number
}

type KnownRate = { at: number; usd: bigint }

const everyMs = 300_000
/** A rate that could not be renewed. */
const oldestMs = 86_400_000
/** A network whose feed failed is not asked sooner. */
const failedMs = 60_000
const feedWaitMs = 3_000
/** Time that the first answer waits. */
const firstWaitMs = 1_000

const recordShape = v.object({
  at: v.number(),
  usd: v.pipe(
    v.string(),
    v.regex(/^[1-9]\d{0,19}$/),
    v.transform((digits) => BigInt(digits)),
  ),
})

/**
 * Returns the chosen currency's rate, one for all chains: by the feed of the chain that asks first, else of
 * another set-up network. Renewed in the background every five minutes; dollars until there is one.
 */
export function createRates({ networks, settings, session, now }: Deps) {
  const renewing = new Map<Currency, Promise<bigint | undefined>>()
  const failedUntil = new Map<string, number>()
  const keyOf = (currency: Currency) => `rate.${currency}`

  async function getKnown(currency: Currency): Promise<KnownRate | undefined> {
    const stored = await session.get(keyOf(currency)).catch(() => undefined)
    const known = parseOrUndefined(recordShape, stored)
    return known && known.at <= now() && now() - known.at < oldestMs ? known : undefined
  }

  async function renew(currency: Currency, all: Network[]): Promise<bigint | undefined> {
    for (const network of all) {
      const feed = network.rpcUrl === '' ? undefined : getCurrencyFeed(network, currency)
      const key = `${network.chainId} ${network.rpcUrl} ${currency}`
      if (feed === undefined || (failedUntil.get(key) ?? 0) > now()) continue
      const usd = await within(feedWaitMs, readFeed(network.chainId, feed, currency))
      if (usd) {
        await session.set({ [keyOf(currency)]: { at: now(), usd: usd.toString() } }).catch(() => undefined)
        return usd
      }
      failedUntil.set(key, now() + failedMs)
    }
    return undefined
  }

  async function readFeed(chainId: number, feed: Address, currency: Currency): Promise<bigint | undefined> {
    const chain = await networks.chain(chainId)
    const [usd] = await Promise.all([chain.currencyRate(feed, currency), chain.verify()])
    return usd
  }

  return async (chainId: number): Promise<CurrencyRate> => {
    const { currency, networks: all } = await settings.get()
    if (currency === 'USD') return dollars
    const known = await getKnown(currency)
    if (known && now() - known.at < everyMs) return { currency, usd: known.usd }
    const own = (network: Network) => Number(network.chainId === chainId)
    const sorted = all.toSorted((one, other) => own(other) - own(one))
    const running = renewing.get(currency) ?? renew(currency, sorted).finally(() => renewing.delete(currency))
    renewing.set(currency, running)
    const usd = known?.usd ?? (await within(firstWaitMs, running))
    return usd ? { currency, usd } : dollars
  }
}
