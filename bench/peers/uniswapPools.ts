import type { Concentrated, FeeTier } from '../../service/pools/concentrated.ts'
import type { Reserves } from '../../service/pools/constantProduct.ts'
import type { PoolSnapshot } from '../../service/pools/poolType.ts'
import { deepestFirst, type PoolOffer } from './poolOffers.ts'

export type Token = { address: string; decimals: number }
export type Amount = { currency: Token; quotient: { toString(): string } }
export type Route = { pools: SdkPool[]; path?: Token[]; tokenPath?: Token[]; input: Token }
type SdkPool = { token0: Token; token1: Token; fee?: number }
type Priced = { poolIdentifiers: string[]; amount: Amount; tokenPath: Token[] }
export type SwapRoute = { route: Priced[]; estimatedGasUsed: { toString(): string } }
type Constructor = new (...given: unknown[]) => unknown

/** The part of `@uniswap/smart-order-router` and of its SDKs in use. */
export type Uniswap = {
  router: {
    AlphaRouter: new (params: object) => { route(...given: unknown[]): Promise<SwapRoute | null> }
    WRAPPED_NATIVE_CURRENCY: Record<number, Token>
    USDC_MAINNET: Token
    USDT_MAINNET: Token
    DAI_MAINNET: Token
    WBTC_MAINNET: Token
    setGlobalLogger(logger: object): void
  }
  core: { Token: Constructor; CurrencyAmount: { fromRawAmount(token: unknown, amount: string): unknown } }
  v2: { Pair: Constructor }
  v3: { Pool: Constructor; TickMath: { getTickAtSqrtRatio(price: unknown): number } }
  toBigNumber(value: bigint | number): unknown
  toJsbi(value: bigint): unknown
}

/** Uniswap's v2 and v3 pools, the deepest of each pair and fee. */
export function keepOnePerFee(pools: readonly PoolSnapshot[]): PoolSnapshot[] {
  const seen = new Set<string>()
  return deepestFirst(pools).filter(({ listing: { kind, source, tokens, fixed } }) => {
    if (source !== 'UNISWAP_V2' && source !== 'UNISWAP_V3') return false
    const place = [kind, ...tokens, (fixed as FeeTier).feePpm].join()
    const isFirst = !seen.has(place)
    seen.add(place)
    return isFirst
  })
}

/** Finds pools by pair and fee, as the SDKs ask for them; `make` builds the SDK's own. */
export function provideUniswapPools(offers: readonly PoolOffer[], make: (offer: PoolOffer) => unknown) {
  const places = new Map(offers.map((offer) => [placeOf(offer.listing.tokens, feeOf(offer)), offer]))
  const made = new Map<PoolOffer, unknown>()
  const find = (one: Token, other: Token, fee?: number) =>
    places.get(placeOf([one.address.toLowerCase(), other.address.toLowerCase()], fee))
  const get = (offer: PoolOffer | undefined) => {
    if (offer === undefined) return undefined
    const pool = made.get(offer) ?? make(offer)
    made.set(offer, pool)
    return pool
  }
  return {
    find,
    getPoolAddress: (one: Token, other: Token, fee?: number) => {
      const [token0, token1] =
        one.address.toLowerCase() < other.address.toLowerCase() ? [one, other] : [other, one]
      return {
        poolAddress: find(one, other, fee)?.listing.address ?? `none:${one.address}:${other.address}:${fee}`,
        token0,
        token1,
      }
    },
    getPools: async (pairs: [Token, Token, number?][]) => {
      const asked = [...new Set(pairs.flatMap((pair) => find(...pair) ?? []))]
      return {
        getPool: (...pair: [Token, Token, number?]) => get(find(...pair)),
        getPoolByAddress: (address: string) =>
          get(asked.find(({ listing }) => listing.address === address.toLowerCase())),
        getAllPools: () => asked.map(get),
      }
    },
  }
}

function placeOf(tokens: readonly string[], fee: number | undefined): string {
  return [...tokens.toSorted(), fee].join()
}

/** Ppm of a v3 pool; undefined for a v2 pool. */
export function feeOf({ listing }: PoolOffer): number | undefined {
  return listing.kind === 'concentrated' ? (listing.fixed as FeeTier).feePpm : undefined
}

/** As in a subgraph. */
export function listPool({ listing, usd }: PoolOffer) {
  const [token0, token1] = listing.tokens.map((id) => ({ id }))
  return { id: listing.address, token0, token1, liquidity: '1', tvlETH: usd / 3_000, tvlUSD: usd }
}

export function toV3Pool(
  { v3, toJsbi }: Uniswap,
  { listing, state }: PoolSnapshot,
  tokenOf: (address: string) => unknown,
) {
  const { sqrtPrice, liquidity } = state as Concentrated
  const price = toJsbi(sqrtPrice)
  const [one, other] = listing.tokens.map(tokenOf)
  const tick = v3.TickMath.getTickAtSqrtRatio(price)
  return new v3.Pool(one, other, (listing.fixed as FeeTier).feePpm, price, toJsbi(liquidity), tick)
}

export function toV2Pool(
  { v2, core }: Uniswap,
  { listing, state }: PoolSnapshot,
  tokenOf: (address: string) => unknown,
) {
  const { reserve0, reserve1 } = state as Reserves
  const [one, other] = listing.tokens.map(tokenOf)
  const amount = (token: unknown, value: bigint) => core.CurrencyAmount.fromRawAmount(token, String(value))
  return new v2.Pair(amount(one, reserve0), amount(other, reserve1))
}
