import { getPriceContracts } from '../domain/network/markets.ts'
import type { Network } from '../domain/network/network.ts'
import type { MarketRequest, MarketReturns } from '../domain/swap/market.ts'
import { stablesOn } from '../domain/token/pegGroups.ts'
import { type Address, isNative } from '../domain/token/token.ts'
import type { TokenPrice, TokenPrices } from '../domain/value/price.ts'
import { labelData } from './erc20.ts'
import { type PriceTable, readOracle } from './oracle.ts'
import { readPools } from './pools.ts'
import { multicall, readNumber } from './rpc/multicall.ts'
import type { Rpc } from './rpc/rpc.ts'

type Facts = Pick<Network, 'chainId' | 'wrapped' | 'stable' | 'market'>

const oneDollar = 100_000_000n

/** Returns undefined for trades without a price. */
export async function readMarketReturns(
  rpc: Rpc,
  network: Facts,
  asks: MarketRequest[],
): Promise<(MarketReturns | undefined)[]> {
  const priceOf = await readPrices(
    rpc,
    network,
    asks.flatMap(({ sell, buy }) => [sell, buy]),
  )
  return asks.map(({ sell, buy, amount }) => {
    const [sold, bought] = [priceOf(sell), priceOf(buy)]
    if (sold === undefined || bought === undefined) return undefined
    const returns = (amount * sold.usd * bought.per) / (sold.per * bought.usd)
    return returns > 0n ? { returns, ...toSource([sold, bought]) } : undefined
  })
}

/** Returns what is known. The native token has the wrapped one's price. */
export async function readTokenPrices(rpc: Rpc, network: Facts, tokens: Address[]): Promise<TokenPrices> {
  const priceOf = await readPrices(rpc, network, tokens)
  const known = tokens.flatMap((token): [Address, TokenPrice][] => {
    const price = priceOf(token)
    return price === undefined ? [] : [[token, price]]
  })
  return Object.fromEntries(known)
}

/** By the oracle, else by pools. The first stablecoin defaults to one dollar. */
async function readPrices(
  rpc: Rpc,
  network: Facts,
  asked: Address[],
): Promise<(token: Address) => TokenPrice | undefined> {
  const { wrapped } = network
  const { oracle, makers } = getPriceContracts(network)
  const own = (token: Address) => (isNative(token) ? wrapped : token)
  const wanted = [...new Set(asked.map(own).filter((token) => token !== undefined))]
  const known: PriceTable = new Map()
  const stables = stablesOn(network)
  const connectors = [...stables, ...(wrapped ? [wrapped] : [])]
  if (wanted.length > 0 && (oracle !== undefined || makers.length > 0)) {
    const tokens = [...new Set([...connectors, ...wanted])]
    if (oracle) await readOracle(rpc, oracle, tokens, known)
    const [anchor] = stables
    if (anchor && !known.has(anchor)) {
      const [decimals] = await multicall(rpc, [{ to: anchor, data: labelData('decimals') }])
      const places = readNumber(decimals)
      if (places !== undefined && places <= 36n)
        known.set(anchor, { usd: oneDollar, per: 10n ** places, source: 'pool', ageSeconds: 0 })
    }
    if (makers.length > 0 && wanted.some((token) => !known.has(token)))
      await readPools(rpc, makers, connectors, wanted, known)
  }
  return (token) => {
    const address = own(token)
    return address && known.get(address)
  }
}

function toSource(prices: TokenPrice[]): Pick<MarketReturns, 'source' | 'ageSeconds'> {
  const source = prices.some((price) => price.source === 'pool') ? 'pool' : 'oracle'
  const ages = prices.map(({ ageSeconds }) => ageSeconds)
  const told = ages.filter((age) => age !== undefined)
  return { source, ...(told.length === ages.length && { ageSeconds: Math.max(...told) }) }
}
