import { createRequire } from 'node:module'
import { getAddress } from 'viem'
import type { Address } from '../../service/config.ts'
import type { Leg, Peer, PeerMarket, PeerRoute } from './peer.ts'
import { type PoolOffer, toOffers } from './poolOffers.ts'
import {
  type Amount,
  feeOf,
  keepOnePerFee,
  listPool,
  provideUniswapPools,
  type Route,
  type SwapRoute,
  type Token,
  toV2Pool,
  toV3Pool,
  type Uniswap,
} from './uniswapPools.ts'

// Plain objects replace Uniswap's subgraphs, lens contracts and gas station. The search, the selection of
// pools and the gas models are unchanged.

/** `load` finds the installed packages. */
export function loadUniswap(load: NodeJS.Require): Uniswap {
  const own = createRequire(load.resolve('@uniswap/smart-order-router'))
  const { BigNumber } = own('@ethersproject/bignumber')
  const jsbi = own('jsbi')
  return {
    router: own('@uniswap/smart-order-router'),
    core: own('@uniswap/sdk-core'),
    v2: own('@uniswap/v2-sdk'),
    v3: own('@uniswap/v3-sdk'),
    toBigNumber: (value) => BigNumber.from(String(value)),
    toJsbi: (value) => jsbi.BigInt(String(value)),
  }
}

/** Its hubs are mainnet's, so the market takes mainnet's place. */
const chainId = 1

/** TradeType.EXACT_INPUT of sdk-core. */
const exactInput = 0

/** Uniswap's AlphaRouter with its defaults for mainnet. It knows one pool per pair and fee. */
export function createAlphaRouter(uniswap: Uniswap): Peer {
  return {
    name: 'AlphaRouter',
    keep: keepOnePerFee,
    open: (market) => open(uniswap, market),
  }
}

function open(uniswap: Uniswap, market: PeerMarket): ReturnType<Peer['open']> {
  const { AlphaRouter, setGlobalLogger } = uniswap.router
  setGlobalLogger({ debug() {}, info() {}, warn() {}, error() {} })
  takeMainnetsPlace(uniswap, market)
  const tokens = new Map(
    market.tokens.map(({ address, decimals }) => [
      address,
      new uniswap.core.Token(chainId, getAddress(address), decimals, symbolOf(market, address)) as Token,
    ]),
  )
  const tokenOf = (address: string) => tokens.get(address.toLowerCase() as Address)
  const offers = toOffers(market)
  const v3 = offers.filter(({ listing }) => listing.kind === 'concentrated')
  const v2 = offers.filter(({ listing }) => listing.kind === 'constant-product')
  const v3Pools = provideUniswapPools(v3, (offer) => toV3Pool(uniswap, offer, tokenOf))
  const v2Pools = provideUniswapPools(v2, (offer) => toV2Pool(uniswap, offer, tokenOf))
  const v3Listed = v3.map((offer) => ({ ...listPool(offer), feeTier: String(feeOf(offer)) }))
  const v2Listed = v2.map((offer) => ({ ...listPool(offer), reserve: offer.usd, reserveUSD: offer.usd }))
  let gasPriceWei: unknown

  const router = new AlphaRouter({
    chainId,
    provider: {},
    multicall2Provider: {},
    v4PoolProvider: { getPools: async () => ({ getAllPools: () => [] }) },
    v4SubgraphProvider: { getPools: async () => [] },
    v3PoolProvider: v3Pools,
    v2PoolProvider: v2Pools,
    v3SubgraphProvider: { getPools: async () => v3Listed.map((pool) => ({ ...pool })) },
    v2SubgraphProvider: { getPools: async () => v2Listed.map((pool) => ({ ...pool })) },
    onChainQuoteProvider: {
      getQuotesManyExactIn: async (amounts: Amount[], routes: Route[]) => quoteAll(amounts, routes),
    },
    tokenProvider: {
      getTokens: async () => ({ getTokenByAddress: tokenOf, getAllTokens: () => [...tokens.values()] }),
    },
    tokenValidatorProvider: { validateTokens: async () => ({ getValidationByToken: () => undefined }) },
    tokenPropertiesProvider: { getTokensProperties: async () => ({}) },
    gasPriceProvider: { getGasPrice: async () => ({ gasPriceWei }) },
    swapRouterProvider: {},
  })

  return async ({ sell, buy, amount, gasPrice }) => {
    gasPriceWei = uniswap.toBigNumber(gasPrice)
    const given = uniswap.core.CurrencyAmount.fromRawAmount(tokenOf(sell), String(amount))
    const config = { protocols: ['V2', 'V3', 'MIXED'], blockNumber: 1, useCachedRoutes: false }
    const found = await router.route(given, tokenOf(buy), exactInput, undefined, config)
    return found === null ? [] : [toPeerRoute(found)]
  }

  /** QuoterV2 and MixedRouteQuoterV1, in the pools' integer arithmetic. */
  function quoteAll(amounts: Amount[], routes: Route[]) {
    const routesWithQuotes = routes.map((route) => [
      route,
      amounts.map((amount) => ({ amount, ...quote(BigInt(String(amount.quotient)), route) })),
    ])
    return { routesWithQuotes, blockNumber: uniswap.toBigNumber(1) }
  }

  function quote(amount: bigint, { pools, path, tokenPath }: Route) {
    const way = (tokenPath ?? path ?? []).map(({ address }) => address.toLowerCase() as Address)
    const ticks: number[] = []
    let held = amount
    pools.forEach(({ token0, token1, fee }, i) => {
      const { pool } = (
        fee === undefined ? v2Pools.find(token0, token1) : v3Pools.find(token0, token1, fee)
      ) as PoolOffer
      const [sell, buy] = way.slice(i, i + 2) as [Address, Address]
      ticks.push(pool.curve(sell, buy).steps(Number(held)))
      held = pool.quote(sell, buy, held)
    })
    if (held === 0n) {
      return {
        quote: null,
        sqrtPriceX96AfterList: null,
        initializedTicksCrossedList: null,
        gasEstimate: null,
      }
    }
    return {
      quote: uniswap.toBigNumber(held),
      // Only its presence matters.
      sqrtPriceX96AfterList: pools.map(() => uniswap.toBigNumber(0)),
      initializedTicksCrossedList: ticks,
      gasEstimate: uniswap.toBigNumber(100_000),
    }
  }
}

function toPeerRoute({ route, estimatedGasUsed }: SwapRoute): PeerRoute {
  const branches = route.map(({ poolIdentifiers, amount, tokenPath }) => {
    const way = tokenPath.map(({ address }) => address.toLowerCase() as Address)
    const legs = poolIdentifiers.map((pool, i): Leg => {
      return { pool: pool as Address, sell: way[i] as Address, buy: way[i + 1] as Address, part: 1 }
    })
    return { amount: BigInt(String(amount.quotient)), legs }
  })
  return { branches, gas: Number(estimatedGasUsed) }
}

function takeMainnetsPlace({ router }: Uniswap, { hubs }: PeerMarket): void {
  const { WRAPPED_NATIVE_CURRENCY, USDC_MAINNET, USDT_MAINNET, DAI_MAINNET, WBTC_MAINNET } = router
  const places = { USDC: USDC_MAINNET, USDT: USDT_MAINNET, DAI: DAI_MAINNET, WBTC: WBTC_MAINNET }
  for (const [name, token] of Object.entries({
    ...places,
    WETH: WRAPPED_NATIVE_CURRENCY[chainId] as Token,
  })) {
    token.address = getAddress(hubs[name as keyof typeof hubs])
  }
}

/** It recognizes WETH by its symbol. */
function symbolOf({ hubs }: PeerMarket, address: Address): string {
  return Object.entries(hubs).find(([, hub]) => hub === address)?.[0] ?? address.slice(0, 10)
}
