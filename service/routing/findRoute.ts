import type { Address } from '../config.ts'
import { gasCosts } from '../pools/gasCosts.ts'
import { wrapped, wrappedSource } from '../pools/wrappedNative.ts'
import { nativeTokenAddress } from '../tokens/registry.ts'
import type { RoutingInput } from './candidates.ts'
import type { PoolGraph } from './market.ts'
import { type GraphRoute, tradesNative, withNativeHops } from './nativeHops.ts'
import { nativePrice } from './nativePrice.ts'
import { type CoreRoute, optimizeRoute } from './optimizer/optimize.ts'
import type { Branch, Edge, Evidence, Route, RouteRequest } from './route.ts'

/**
 * Finds the best route. Deterministic unless `stop` ends the search with the best so far; it is not called
 * before there is one. The native token is wrapped even without WETH among the sources, but pure wrapping
 * needs it.
 */
export function findRoute(
  market: PoolGraph,
  ground: RoutingInput,
  request: RouteRequest,
  stop: () => boolean = () => false,
): Route | undefined {
  const { sell, buy, amount, limits } = request
  if (amount <= 0n || sell === buy) return undefined
  const coin = wrapped(ground.wrapped)
  const canWrap = limits.excludesWrapping !== true
  const [sellsNative, buysNative] = [sell === nativeTokenAddress, buy === nativeTokenAddress]
  const [sellsCoin, buysCoin] = [canWrap && sellsNative, canWrap && buysNative]
  const wrapGas =
    (sellsCoin ? coin.gas(nativeTokenAddress, coin.address, amount) : 0n) +
    (buysCoin ? coin.gas(coin.address, nativeTokenAddress, amount) : 0n)
  const gas = gasCosts.base + wrapGas
  if (gas > limits.gasLimit) return undefined

  const from = sellsNative ? coin.address : sell
  const to = buysNative ? coin.address : buy
  const gasPlan = { room: limits.gasLimit - gas, branch: gasCosts.branch + wrapGas }
  const inner = { ...request, sell: from, buy: to, limits: namedIn(request, coin.address) }
  if (from === to && !canWrap) return undefined
  const core = from === to ? onlyWrapping(request, from) : optimizeRoute(market, ground, inner, gasPlan, stop)
  if (core === undefined) return undefined
  if (tradesNative(core)) return nameNative(core)

  const tokens = [
    ...(sellsCoin ? [nativeTokenAddress] : []),
    ...core.tokens,
    ...(buysCoin ? [nativeTokenAddress] : []),
  ]
  const branches = core.branches.map(({ weight, edges }): Branch => ({ weight, edges: wrapAround(edges) }))
  const { returns, evidence } = core
  return { tokens, branches, edges: gather(branches), amount, returns, gas: gas + core.gas, evidence }

  /**
   * Without the native pools if they cannot fill what rounding gives them, if conversions exceed the gas, or
   * if these cost more than the pools bring, since the search does not know them.
   */
  function nameNative({ evidence, ...core }: CoreRoute): Route | undefined {
    const ends = { coin, sellsCoin: sellsNative, buysCoin: buysNative }
    const named = withNativeHops(amount, core, ends)
    const spent = named && gasCosts.base + gasOf(named, gasCosts.branch)
    const route = named && { ...named, edges: gather(named.branches), amount, gas: spent ?? 0n, evidence }
    const isFilled = route !== undefined && route.gas <= limits.gasLimit
    const converts = route?.edges.some(({ pool }) => pool === coin) === true && limits.gasPrice > 0n
    if (isFilled && !converts) return route
    const avoid = new Set(limits.avoid)
    for (const { edges } of core.branches) {
      for (const { pool } of edges) if (pool.isNative) avoid.add(pool.address)
    }
    // One more search, whatever the number of native pools.
    const without = { ...limits, avoid, unconverted: { wrapped: coin.address, isNative: false } }
    const isSecond = limits.unconverted !== undefined
    const other = isSecond ? undefined : findRoute(market, ground, { ...request, limits: without }, stop)
    if (!isFilled || other === undefined) return isFilled ? route : other
    const gasWorth = Number(limits.gasPrice) * nativePrice(market, ground, to)
    const net = ({ returns, gas }: Route) => returns - BigInt(Math.round(Number(gas) * gasWorth))
    return net(other) > net(route) ? other : route
  }

  function wrapAround(edges: readonly Edge[]): Edge[] {
    const shift = sellsCoin ? 1 : 0
    const last = tokens.length - 1
    const shifted = edges.map((edge) => ({ ...edge, from: edge.from + shift, to: edge.to + shift }))
    const sold =
      edges.length === 0 ? amount : sum(edges.flatMap((edge) => (edge.from === 0 ? [edge.sold] : [])))
    const bought =
      edges.length === 0
        ? amount
        : sum(shifted.flatMap(({ to, bought }) => (to === last - 1 ? [bought] : [])))
    const wrap = { pool: coin, from: 0, to: 1, weight: 0, sold, bought: sold }
    const unwrap = { pool: coin, from: last - 1, to: last, weight: 0, sold: bought, bought }
    return [...(sellsCoin ? [wrap] : []), ...shifted, ...(buysCoin ? [unwrap] : [])]
  }
}

/** The graph has one name for the native token and its wrapped one. */
function namedIn({ sell, buy, limits }: RouteRequest, wrapped: Address): RouteRequest['limits'] {
  const { connectors, excludesWrapping } = limits
  const named = connectors && {
    connectors: connectors.map((token) => (token === nativeTokenAddress ? wrapped : token)),
  }
  if (excludesWrapping !== true) return { ...limits, ...named }
  const isNative = sell === nativeTokenAddress || buy === nativeTokenAddress
  return { ...limits, ...named, unconverted: { wrapped, isNative } }
}

function gasOf({ tokens, branches }: GraphRoute, branchGas: bigint): bigint {
  const edges = branches.flatMap((branch) => branch.edges)
  const hops = edges.reduce((sum, { pool, from, to, sold }) => {
    return sum + pool.gas(tokens[from] as Address, tokens[to] as Address, sold)
  }, 0n)
  return hops + BigInt(branches.length - 1) * branchGas
}

function onlyWrapping({ amount, limits }: RouteRequest, token: Address): CoreRoute | undefined {
  if (!limits.sources.has(wrappedSource.id)) return undefined
  const candidates = { tokens: [token], arcs: [], spare: [] }
  const evidence: Evidence = { candidates, prices: [1], bound: () => ({ value: undefined, over: 'market' }) }
  return { tokens: [token], branches: [{ weight: 0, edges: [] }], returns: amount, gas: 0n, evidence }
}

/** The wrapping pool may be in several branches. */
function gather(branches: readonly Branch[]): Edge[] {
  const gathered: Edge[] = []
  for (const edge of branches.flatMap(({ edges }) => edges)) {
    const same = gathered.findIndex(
      ({ pool, from, to }) => pool === edge.pool && from === edge.from && to === edge.to,
    )
    const before = gathered[same]
    if (before === undefined) gathered.push(edge)
    else gathered[same] = { ...edge, sold: before.sold + edge.sold, bought: before.bought + edge.bought }
  }
  return gathered.sort((a, b) => a.from - b.from)
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
