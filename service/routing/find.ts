import { wrapped, wrappedSource } from '../pools/wrapped.ts'
import { native } from '../tokens.ts'
import { findBest } from './best.ts'
import type { Ground } from './candidates.ts'
import type { Market } from './market.ts'
import type { Route, RouteRequest } from './route.ts'

/**
 * Gas of a swap without its hops: the transaction with its calldata, pulling the sold token, paying the bought one. Measured on
 * the router.
 */
const baseGas = 95_000n

/**
 * The best route of a request, or undefined when there is none within its limits: a function of the market and the request
 * alone. Wrapping is no market, so the coin is wrapped on the way in or out even when WETH is not among the sources; a trade
 * that is nothing but wrapping needs it.
 */
export function findRoute(market: Market, ground: Ground, request: RouteRequest): Route | undefined {
  const { sell, buy, amount, limits } = request
  if (amount <= 0n || sell === buy) return undefined
  const coin = wrapped(ground.wrapped)
  const sellsCoin = sell === native
  const buysCoin = buy === native
  const gas =
    baseGas +
    (sellsCoin ? coin.gas(native, coin.address, amount) : 0n) +
    (buysCoin ? coin.gas(coin.address, native, amount) : 0n)
  const gasRoom = limits.gasLimit - gas
  if (gasRoom < 0n) return undefined

  const from = sellsCoin ? coin.address : sell
  const to = buysCoin ? coin.address : buy
  const core =
    from === to
      ? limits.sources.has(wrappedSource.id) && { tokens: [from], edges: [], returns: amount, gas: 0n }
      : findBest(market, ground, { ...request, sell: from, buy: to }, gasRoom)
  if (!core) return undefined

  const { returns } = core
  const tokens = [...(sellsCoin ? [native] : []), ...core.tokens, ...(buysCoin ? [native] : [])]
  const shift = sellsCoin ? 1 : 0
  const wrap = { pool: coin, from: 0, to: 1, weight: 0, sold: amount, bought: amount }
  const unwrap = {
    pool: coin,
    from: tokens.length - 2,
    to: tokens.length - 1,
    weight: 0,
    sold: returns,
    bought: returns,
  }
  const edges = [
    ...(sellsCoin ? [wrap] : []),
    ...core.edges.map((edge) => ({ ...edge, from: edge.from + shift, to: edge.to + shift })),
    ...(buysCoin ? [unwrap] : []),
  ]
  return { tokens, edges, amount, returns, gas: gas + core.gas }
}
