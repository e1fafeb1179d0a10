import { getPriceContracts } from '../domain/network/markets.ts'
import type { Network } from '../domain/network/network.ts'
import type { MarketRequest, MarketReturns } from '../domain/swap/market.ts'
import { stablesOn } from '../domain/token/pegGroups.ts'
import { type Address, isNative } from '../domain/token/token.ts'
import type { TokenPrice, TokenPrices } from '../domain/value/price.ts'
import { labelData } from './erc20.ts'
import { createOracleStep, type Feeds, type PriceTable, readOracle } from './oracle.ts'
import { addPoolPrices, type PoolReading, readPools } from './pools.ts'
import { type Call, type CallResult, lacksMulticall, multicall, readNumber } from './rpc/multicall.ts'
import type { Rpc } from './rpc/rpc.ts'

type Facts = Pick<Network, 'chainId' | 'wrapped' | 'stable' | 'market'>

/** `feeds`: what the oracle is known to list, which saves a round trip. */
export type Prices = {
  feeds: Feeds
  /** Reads to add to a multicall, whose prices `prices` then returns without a request. */
  alongside(tokens: Address[]): { calls: Call[]; take(told: CallResult[]): void }
  /**
   * By the oracle; for tokens that it does not list by pools, a few at a time, held ones first. Read at most
   * every 30 s. The native token has the wrapped one's price.
   */
  prices(tokens: Address[], held: ReadonlySet<Address>): Promise<TokenPrices>
  /** The oracle lists the token, or did not say: its price is the oracle's or none. */
  isOfOracle(token: Address): boolean
  /** By the oracle, else by pools, of the newest block. Returns undefined for trades without a price. */
  marketReturns(asks: MarketRequest[]): Promise<(MarketReturns | undefined)[]>
}

const oneDollar = 100_000_000n
const freshMs = 30_000
/** v3 prices are ten-minute averages. */
const pooledMs = 120_000
const unpooledMs = 600_000
/** About 70 calls each. */
const maxPooled = 12

export function createPrices(rpc: Rpc, network: Facts, now: () => number): Prices {
  const { wrapped } = network
  const { oracle, makers } = getPriceContracts(network)
  const stables = stablesOn(network)
  const connectors = [...stables, ...(wrapped ? [wrapped] : [])]
  const feeds: Feeds = new Map()
  const seen = new Map<Address, { until: number; price: TokenPrice | undefined }>()
  const pooled: typeof seen = new Map()
  let anchorUnit: bigint | undefined

  const own = (token: Address) => (isNative(token) ? wrapped : token)
  const toOwn = (tokens: Address[]) => [...new Set(tokens.map(own).filter((token) => token !== undefined))]
  const isListed = (token: Address) => feeds.get(token) !== undefined
  const isOld = (token: Address) => (seen.get(token)?.until ?? 0) <= now()

  function remember(tokens: Address[], known: PriceTable): void {
    for (const token of tokens) seen.set(token, { until: now() + freshMs, price: known.get(token) })
  }

  /** Prices the first stablecoin at a dollar unless the oracle does, or lists it and `isStrict`. */
  async function addAnchor(known: PriceTable, isStrict: boolean): Promise<void> {
    const [anchor] = stables
    if (anchor === undefined || known.has(anchor) || (isStrict && isListed(anchor))) return
    if (anchorUnit === undefined) {
      const [told] = await multicall(rpc, [{ to: anchor, data: labelData('decimals') }])
      const decimals = readNumber(told)
      if (decimals === undefined || decimals > 36n) return
      anchorUnit = 10n ** decimals
    }
    known.set(anchor, { usd: oneDollar, per: anchorUnit, source: 'pool', ageSeconds: 0 })
  }

  function readPoolsOf(tokens: Address[]): Promise<PoolReading[]> {
    return readPools(rpc, makers, connectors, tokens)
  }

  async function readMarket(wanted: Address[]): Promise<PriceTable> {
    const known: PriceTable = new Map()
    if (wanted.length === 0 || (oracle === undefined && makers.length === 0)) return known
    const tokens = [...new Set([...connectors, ...wanted])]
    if (oracle) await readOracle(rpc, oracle, tokens, feeds, known)
    await addAnchor(known, false)
    if (makers.length > 0 && wanted.some((token) => !known.has(token))) {
      const open = tokens.filter((token) => !known.has(token))
      addPoolPrices(await readPoolsOf(open), open, known)
    }
    return known
  }

  /** A token that the oracle lists has its price or none. */
  async function readShown(wanted: Address[], held: ReadonlySet<Address>): Promise<PriceTable> {
    const known: PriceTable = new Map()
    if (oracle) {
      const unknown = [...new Set([...connectors, ...wanted])].filter((token) => !feeds.has(token))
      const step = createOracleStep(oracle, unknown, feeds)
      if (unknown.length > 0) step.take(await multicall(rpc, step.calls), known)
    }
    const open = makers.length === 0 ? [] : wanted.filter((token) => !isListed(token))
    const due = open
      .filter((token) => (pooled.get(token)?.until ?? 0) <= now())
      .toSorted((one, other) => Number(held.has(other)) - Number(held.has(one)))
      .slice(0, maxPooled)
    const needed = due.length === 0 ? wanted : [...new Set([...connectors, ...wanted])]
    const read = due.length === 0 ? [] : [...new Set([...connectors, ...due])].filter((one) => !isListed(one))
    const [readings] = await Promise.all([
      readPoolsOf(read),
      oracle && readOracle(rpc, oracle, needed.filter(isListed), feeds, known),
    ])
    if (due.length > 0) await addAnchor(known, true)
    addPoolPrices(readings, read, known)
    for (const token of due) {
      const price = known.get(token)
      pooled.set(token, { until: now() + (price ? pooledMs : unpooledMs), price })
    }
    for (const token of open) {
      const price = pooled.get(token)?.price
      if (price && !known.has(token)) known.set(token, price)
    }
    return known
  }

  return {
    feeds,

    alongside(tokens) {
      const wanted = oracle === undefined || lacksMulticall(rpc) ? [] : toOwn(tokens).filter(isOld)
      if (oracle === undefined || wanted.length === 0) return { calls: [], take: () => undefined }
      const { calls, take } = createOracleStep(oracle, wanted, feeds)
      return {
        calls,
        take(told) {
          const known: PriceTable = new Map()
          const again = new Set(take(told, known))
          remember(
            wanted.filter((token) => isListed(token) && !again.has(token)),
            known,
          )
        },
      }
    },

    async prices(tokens, held) {
      const old = toOwn(tokens).filter(isOld)
      if (old.length > 0) remember(old, await readShown(old, held))
      const found = tokens.flatMap((token): [Address, TokenPrice][] => {
        const address = own(token)
        const price = address && seen.get(address)?.price
        return price ? [[token, price]] : []
      })
      return Object.fromEntries(found)
    },

    isOfOracle(token) {
      const address = own(token)
      return oracle !== undefined && address !== undefined && (isListed(address) || !feeds.has(address))
    },

    async marketReturns(asks) {
      const known = await readMarket(toOwn(asks.flatMap(({ sell, buy }) => [sell, buy])))
      const priceOf = (token: Address) => known.get(own(token) ?? token)
      return asks.map(({ sell, buy, amount }) => {
        const [sold, bought] = [priceOf(sell), priceOf(buy)]
        if (sold === undefined || bought === undefined) return undefined
        const returns = (amount * sold.usd * bought.per) / (sold.per * bought.usd)
        return returns > 0n ? { returns, ...toSource([sold, bought]) } : undefined
      })
    },
  }
}

function toSource(prices: TokenPrice[]): Pick<MarketReturns, 'source' | 'ageSeconds'> {
  const source = prices.some((price) => price.source === 'pool') ? 'pool' : 'oracle'
  const ages = prices.map(({ ageSeconds }) => ageSeconds)
  const told = ages.filter((age) => age !== undefined)
  return { source, ...(told.length === ages.length && { ageSeconds: Math.max(...told) }) }
}
