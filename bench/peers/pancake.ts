import { getAddress } from 'viem'
import type { Address } from '../../service/config.ts'
import type { Concentrated, FeeTier } from '../../service/pools/concentrated.ts'
import type { Leg, Peer, PeerMarket, PeerRoute } from './peer.ts'
import { type PoolOffer, toOffers } from './poolOffers.ts'
import { keepOnePerFee } from './uniswapPools.ts'

type Token = { address: string }
type Amount = { currency: Token; quotient: bigint; subtract(other: Amount): Amount }
/** `own` is ours. */
type PancakePool = { type: number; own: PoolOffer }
type Route = { pools: PancakePool[]; path: Token[]; amount: Amount; output: Token }
type GasModel = {
  estimateGasCost(
    route: object,
    info: object,
  ): { gasEstimate: bigint; gasCostInToken: Amount; gasCostInUSD: Amount }
}
type Trade = {
  routes: { pools: PancakePool[]; path: Token[]; inputAmount: Amount }[]
  gasEstimate: bigint
}
type Selector = (one: unknown, other: unknown, pools: readonly PancakePool[]) => PancakePool[]

/** The part of `@pancakeswap/smart-router` and of its SDKs in use. */
export type Pancake = {
  router: {
    SmartRouter: {
      getBestTrade(amount: unknown, currency: unknown, type: number, config: object): Promise<Trade | null>
      createStaticPoolProvider(pools: readonly PancakePool[]): object
      v2PoolTvlSelector: Selector
      v3PoolTvlSelector: Selector
    }
    PoolType: { V2: number; V3: number }
  }
  sdk: {
    ERC20Token: new (...given: unknown[]) => Token
    CurrencyAmount: { fromRawAmount(token: unknown, amount: bigint): Amount }
    WNATIVE: Record<number, Token>
  }
  tokens: { ethereumTokens: Record<'usdc' | 'usdt' | 'dai' | 'wbtc', Token> }
}

export function loadPancake(load: NodeJS.Require): Pancake {
  return {
    router: load('@pancakeswap/smart-router'),
    sdk: load('@pancakeswap/sdk'),
    tokens: load('@pancakeswap/tokens'),
  }
}

/** Its hubs are mainnet's. */
const chainId = 1

/** TradeType.EXACT_INPUT. */
const exactInput = 0

/** PancakeSwap's router with its defaults; quotes are in the pools' arithmetic, as its contracts answer. */
export function createPancake(pancake: Pancake): Peer {
  return { name: 'PancakeSwap', keep: keepOnePerFee, open: (market) => open(pancake, market) }
}

function open(pancake: Pancake, market: PeerMarket): ReturnType<Peer['open']> {
  const { SmartRouter } = pancake.router
  const { CurrencyAmount, ERC20Token } = pancake.sdk
  takeMainnetsPlace(pancake, market)
  const tokens = new Map(
    market.tokens.map(({ address, decimals }) => [
      address,
      new ERC20Token(chainId, getAddress(address), decimals, address.slice(0, 10)),
    ]),
  )
  const usd = new Map(market.tokens.map(({ address, usd }) => [address, usd]))
  const tokenOf = (address: Address) => tokens.get(address) as Token
  const offers = toOffers(market)
  const pools = (kind: string) =>
    offers
      .filter(({ listing }) => listing.kind === kind)
      .map((offer) => toPancakePool(pancake, offer, tokenOf))
  const [v2, v3] = [pools('constant-product'), pools('concentrated')]
  const quoteProvider = {
    getRouteWithQuotesExactIn: async (routes: Route[], { gasModel }: { gasModel: GasModel }) =>
      routes.flatMap((route) => quote(route, gasModel)),
  }

  return async ({ sell, buy, amount, gasPrice }) => {
    const [from, to] = [tokenOf(sell), tokenOf(buy)]
    const candidates = [
      ...SmartRouter.v2PoolTvlSelector(from, to, v2),
      ...SmartRouter.v3PoolTvlSelector(from, to, v3),
    ]
    const found = await SmartRouter.getBestTrade(CurrencyAmount.fromRawAmount(from, amount), to, exactInput, {
      gasPriceWei: gasPrice,
      poolProvider: SmartRouter.createStaticPoolProvider(candidates),
      quoteProvider,
      quoterOptimization: false,
      quoteCurrencyUsdPrice: usd.get(buy),
      nativeCurrencyUsdPrice: usd.get(market.hubs.WETH),
    }).catch((error: Error) => {
      if (/Cannot find a valid swap route/.test(error.message)) return null
      throw error
    })
    return found === null ? [] : [toPeerRoute(found)]
  }

  function quote(route: Route, gasModel: GasModel) {
    const { pools, path, amount, output } = route
    const ticks: number[] = []
    let held = amount.quotient
    pools.forEach(({ own }, i) => {
      const [sell, buy] = path.slice(i, i + 2).map(addressOf) as [Address, Address]
      ticks.push(own.pool.curve(sell, buy).steps(Number(held)))
      held = own.pool.quote(sell, buy, held)
    })
    if (held === 0n) return []
    const quoted = { ...route, quote: CurrencyAmount.fromRawAmount(output, held) }
    const cost = gasModel.estimateGasCost(quoted, { initializedTickCrossedList: ticks })
    return [{ ...quoted, ...cost, quoteAdjustedForGas: quoted.quote.subtract(cost.gasCostInToken) }]
  }
}

function toPeerRoute({ routes, gasEstimate }: Trade): PeerRoute {
  const branches = routes.map(({ pools, path, inputAmount }) => {
    const way = path.map(addressOf)
    const legs = pools.map(({ own }, i): Leg => {
      return { pool: own.listing.address, sell: way[i] as Address, buy: way[i + 1] as Address, part: 1 }
    })
    return { amount: inputAmount.quotient, legs }
  })
  return { branches, gas: Number(gasEstimate) }
}

function addressOf({ address }: Token): Address {
  return address.toLowerCase() as Address
}

function takeMainnetsPlace({ tokens, sdk }: Pancake, { hubs }: PeerMarket): void {
  const { usdc, usdt, dai, wbtc } = tokens.ethereumTokens
  const places = { USDC: usdc, USDT: usdt, DAI: dai, WBTC: wbtc, WETH: sdk.WNATIVE[chainId] as Token }
  for (const [name, token] of Object.entries(places))
    token.address = getAddress(hubs[name as keyof typeof hubs])
}

function toPancakePool(
  { router, sdk }: Pancake,
  own: PoolOffer,
  tokenOf: (address: Address) => Token,
): PancakePool {
  const { listing, state, usd } = own
  const [token0, token1] = listing.tokens.map(tokenOf)
  const base = { own, tvlUSD: BigInt(Math.round(usd)) }
  if (listing.kind === 'concentrated') {
    const { sqrtPrice, tick, liquidity } = state as Concentrated
    const { feePpm } = listing.fixed as FeeTier
    const price = { liquidity, sqrtRatioX96: sqrtPrice, tick, fee: feePpm }
    return {
      ...base,
      ...price,
      type: router.PoolType.V3,
      token0,
      token1,
      address: listing.address,
    } as PancakePool
  }
  const { reserve0, reserve1 } = state as { reserve0: bigint; reserve1: bigint }
  const reserves = {
    reserve0: sdk.CurrencyAmount.fromRawAmount(token0, reserve0),
    reserve1: sdk.CurrencyAmount.fromRawAmount(token1, reserve1),
  }
  return { ...base, ...reserves, type: router.PoolType.V2 }
}
