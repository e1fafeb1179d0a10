import type { Address } from '../../service/config.ts'
import type { PoolSnapshot } from '../../service/pools/poolType.ts'
import { toPool } from '../../service/pools/registry.ts'
import type { RoutingInput } from '../../service/routing/candidates.ts'
import { findRoute } from '../../service/routing/findRoute.ts'
import { createPoolGraph, type PoolGraph } from '../../service/routing/market.ts'
import { nativePrice } from '../../service/routing/nativePrice.ts'
import type { Route, RouteRequest } from '../../service/routing/route.ts'
import { summarize } from '../measure.ts'
import { createRandom, type Random } from '../random.ts'
import { createMixedSynthetic } from './mixedSynthetic.ts'
import { sizes, toAmount, toRouteLimits } from './trades.ts'

export type ExhaustiveFigures = ReturnType<typeof benchExhaustive>

const worlds = 40
const maxPools = 11

/**
 * Compares routes net of gas with the best over every set of pools; splits ignore gas, which is then
 * subtracted.
 */
export function benchExhaustive() {
  const { config, tokens, standings } = createMixedSynthetic(3_000)
  const random = createRandom(11)
  const parts: number[] = []
  let solved = 0
  while (parts.length < worlds) {
    const chosen = pickSome(tokens.slice(0, 12), 3 + Math.floor(random.between(0, 3)), random)
    const own = new Set(chosen.map(({ address }) => address))
    const between = standings.filter(({ listing }) => listing.tokens.every((token) => own.has(token)))
    const pools = pickSome(between, maxPools, random)
    const market = marketOf(pools, own)
    const ground: RoutingInput = { wrapped: config.wrapped, connectors: [...own] }
    const [sell, buy] = [chosen[0]!, chosen[1]!]
    const gasPrice = BigInt(random.pick([10, 30, 100])) * 1_000_000_000n
    const request: RouteRequest = {
      ...{ sell: sell.address, buy: buy.address },
      amount: toAmount(sell, random.pick(sizes.slice(1))),
      limits: toRouteLimits(config, gasPrice),
    }
    const gasWorth = Number(gasPrice) * nativePrice(market, ground, buy.address)
    const net = ({ returns, gas }: Route) => Number(returns) - Number(gas) * gasWorth
    const ours = findRoute(market, ground, request)
    if (ours === undefined || gasWorth === 0 || net(ours) <= 0) continue
    const best = bestOfAll(market, ground, request, pools, net)
    solved += best.solved
    parts.push(net(ours) / best.net)
  }
  const { mean, least } = summarize(parts)
  return { worlds, solved, mean, worst: least, reached: parts.filter((part) => part >= 1 - 1e-9).length }
}

/** Larger sets first: an answer using only a subset's pools solves the subset too. */
function bestOfAll(
  market: PoolGraph,
  ground: RoutingInput,
  request: RouteRequest,
  pools: readonly PoolSnapshot[],
  net: (route: Route) => number,
): { net: number; solved: number } {
  const addresses = pools.map(({ listing }) => listing.address)
  const all = 2 ** pools.length - 1
  const answers: { asked: number; used: number }[] = []
  let best = Number.NEGATIVE_INFINITY
  let solved = 0
  const sets = Array.from({ length: all }, (_, i) => i + 1).sort((a, b) => countBits(b) - countBits(a))
  for (const set of sets) {
    if (answers.some(({ asked, used }) => (set & asked) === set && (used & set) === used)) continue
    const avoid = new Set(addresses.filter((_, i) => !((set >> i) & 1)))
    const route = findRoute(market, ground, {
      ...request,
      limits: { ...request.limits, gasPrice: 0n, avoid },
    })
    solved++
    answers.push({ asked: set, used: route ? maskOf(route, addresses) : 0 })
    if (route) best = Math.max(best, net(route))
  }
  return { net: best, solved }
}

function maskOf({ edges }: Route, addresses: readonly Address[]): number {
  return edges.reduce((mask, { pool }) => mask | (1 << addresses.indexOf(pool.address)), 0)
}

function countBits(mask: number): number {
  let count = 0
  for (let left = mask; left > 0; left &= left - 1) count++
  return count
}

function marketOf(pools: readonly PoolSnapshot[], trusted: ReadonlySet<Address>): PoolGraph {
  const market = createPoolGraph(trusted)
  for (const standing of pools) {
    market.put(standing.listing.address, standing.listing.tokens, () => toPool(standing))
  }
  return market
}

function pickSome<Item>(items: readonly Item[], most: number, random: Random): Item[] {
  const left = [...items]
  const picked: Item[] = []
  while (picked.length < most && left.length > 0) {
    picked.push(...left.splice(Math.floor(random.between(0, left.length)), 1))
  }
  return picked
}
