import * as v from 'valibot'
import { getServicePrices } from '../../api/prices.ts'
import type { Network } from '../../domain/network/network.ts'
import { parseOrUndefined } from '../../domain/parseOrUndefined.ts'
import { type Address, isNative, type Token } from '../../domain/token/token.ts'
import type { PriceList, TokenPrices } from '../../domain/value/price.ts'
import type { Chain } from '../../evm/client.ts'
import { within } from '../../lib/async/within.ts'
import type { Networks } from '../networks/networks.ts'
import { createServiceLimit, type ServiceLimit } from '../quotes/serviceLimit.ts'
import { address } from '../schemas.ts'
import type { SettingsStore } from '../settings.ts'
import type { StorageArea } from '../storage.ts'
import { createRates } from './rates.ts'
import { createServicePrices } from './servicePrices.ts'
import { withServicePrices } from './withServicePrices.ts'

/** Prices by the user's RPC, and by the swap service where the chain has none. */
export type PriceLists = {
  read(chainId: number, tokens: Address[]): Promise<PriceList>
  /** Prices to store beside a record: on chain, after a second at most; none while values are off. */
  readOnChain(chainId: number, tokens: Address[]): Promise<TokenPrices>
  /** Returns the client for reading balances, and whether prices are wanted beside them. */
  open(chainId: number): Promise<{ chain: Chain; withPrices: boolean }>
}

export type PriceListDeps = {
  networks: Pick<Networks, 'chain' | 'network'>
  settings: Pick<SettingsStore, 'get'>
  session: StorageArea
  /** Cached lists, without a request. */
  tokens(network: Network): Promise<Pick<Token, 'address' | 'decimals'>[]>
  limit?: ServiceLimit
  fetchPrices?: typeof getServicePrices
  now?(): number
}

/** Time that prices wait for the service if the chain lacks one. A later list counts at the next read. */
const serviceWaitMs = 1_000
/** Reading the stored list. */
const storedWaitMs = 50
/** A record is stored without prices that take longer. */
const recordWaitMs = 1_000

export function createPriceLists(deps: PriceListDeps): PriceLists {
  const { networks, settings, session, tokens, fetchPrices = getServicePrices, now = Date.now } = deps
  const listOf = createServicePrices({ session, fetchPrices, limit: deps.limit ?? createServiceLimit(), now })
  const feeds = createFeedStore(session)
  const rateOf = createRates({ networks, settings, session, now })

  async function openChain(chainId: number): Promise<Chain> {
    const chain = await networks.chain(chainId)
    await feeds.load(chain, await networks.network(chainId))
    return chain
  }

  /** Prices of another chain must not be taken for this one's. */
  async function readVerified(chain: Chain, tokens: Address[]): Promise<TokenPrices> {
    const [prices] = await Promise.all([chain.prices(tokens), chain.verify()])
    return prices
  }

  return {
    async readOnChain(chainId, wanted) {
      if (!(await settings.get()).showValues) return {}
      const prices = openChain(chainId).then((chain) => readVerified(chain, wanted))
      return (await within(recordWaitMs, prices)) ?? {}
    },

    async open(chainId) {
      const { showValues } = await settings.get()
      const chain = showValues ? await openChain(chainId) : await networks.chain(chainId)
      return { chain, withPrices: showValues }
    },

    async read(chainId, wanted) {
      const [chain, network] = await Promise.all([openChain(chainId), networks.network(chainId)])
      const [prices, rate, known] = await Promise.all([
        readVerified(chain, wanted),
        rateOf(chainId),
        tokens(network).catch(() => []),
      ])
      const isComplete = wanted.every((token) => prices[token] || chain.isOfOracle(token))
      const service = isComplete
        ? await within(storedWaitMs, listOf(network, 'stored'))
        : await within(serviceWaitMs, listOf(network))
      await feeds.save(chain, network)
      const decimals = new Map(known.map((token) => [token.address, token.decimals]))
      const { wrapped } = network
      return {
        prices: withServicePrices({
          tokens: wanted,
          prices,
          isOfOracle: chain.isOfOracle,
          listed: service?.prices ?? {},
          ageSeconds: Math.round((now() - (service?.at ?? 0)) / 1_000),
          wrapped,
          decimalsOf: (token) => (isNative(token) ? 18 : decimals.get(token)),
        }),
        rate,
      }
    },
  }
}

const feedsShape = v.object({
  rpcUrl: v.string(),
  feeds: v.array(
    v.object({
      token: address,
      source: address,
      clock: v.exactOptional(address),
      decimals: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36)),
    }),
  ),
})

/** Keeps what an RPC said of the oracle's feeds until the browser closes, for one round trip less. */
function createFeedStore(session: StorageArea) {
  const loaded = new WeakMap<Chain, number>()
  const keyOf = ({ chainId }: Network) => `feeds.${chainId}`
  const toList = (chain: Chain) =>
    [...chain.feeds].flatMap(([token, feed]) => (feed?.decimals === undefined ? [] : [{ token, ...feed }]))

  return {
    async load(chain: Chain, network: Network): Promise<void> {
      if (loaded.has(chain)) return
      const stored = parseOrUndefined(feedsShape, await session.get(keyOf(network)).catch(() => undefined))
      const kept = stored?.rpcUrl === network.rpcUrl ? stored.feeds : []
      for (const { token, ...feed } of kept) if (!chain.feeds.has(token)) chain.feeds.set(token, feed)
      loaded.set(chain, kept.length)
    },
    async save(chain: Chain, network: Network): Promise<void> {
      const feeds = toList(chain)
      if (feeds.length === loaded.get(chain)) return
      loaded.set(chain, feeds.length)
      await session.set({ [keyOf(network)]: { rpcUrl: network.rpcUrl, feeds } }).catch(() => undefined)
    },
  }
}
