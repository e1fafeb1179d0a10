import type { Address } from '../config.ts'
import { gasCosts } from '../pools/gasCosts.ts'
import { wrapped, wrappedSource } from '../pools/wrappedNative.ts'
import { nativeTokenAddress } from '../tokens/registry.ts'
import type { RoutingInput } from './candidates.ts'
import type { PoolGraph } from './market.ts'
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
  const sellsCoin = canWrap && sell === nativeTokenAddress
  const buysCoin = canWrap && buy === nativeTokenAddress
  const wrapGas =
    (sellsCoin ? coin.gas(nativeTokenAddress, coin.address, amount) : 0n) +
    (buysCoin ? coin.gas(coin.address, nativeTokenAddress, amount) : 0n)
  const gas = gasCosts.base + wrapGas
  if (gas > limits.gasLimit) return undefined

  const from = sellsCoin ? coin.address : sell
  const to = buysCoin ? coin.address : buy
  const gasPlan = { room: limits.gasLimit - gas, branch: gasCosts.branch + wrapGas }
  const core =
    from === to
      ? onlyWrapping(request, from)
      : optimizeRoute(market, ground, { ...request, sell: from, buy: to }, gasPlan, stop)
  if (core === undefined) return undefined

  const tokens = [
    ...(sellsCoin ? [nativeTokenAddress] : []),
    ...core.tokens,
    ...(buysCoin ? [nativeTokenAddress] : []),
  ]
  const branches = core.branches.map(({ weight, edges }): Branch => ({ weight, edges: wrapAround(edges) }))
  const { returns, evidence } = core
  return { tokens, branches, edges: gather(branches), amount, returns, gas: gas + core.gas, evidence }

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
