import type { Address } from '../../service/config.ts'
import type { PoolSnapshot } from '../../service/pools/poolType.ts'
import { toPool } from '../../service/pools/registry.ts'
import { createPoolEdge, type PoolEdge } from '../../service/routing/market.ts'
import type { Leg, Peer, PeerMarket, PeerRoute, PeerTrade } from './peer.ts'

/** Numbers of equal slices, each of them an answer; one is the best single path. */
const sliceCounts = [1, 20, 100]

const maxHops = 4
const poolsPerPair = 16
const ownNeighbours = 6

type Arc = PoolEdge & { from: Address; to: Address }
type Graph = Map<Address, Map<Address, Arc[]>>
type Way = { arcs: readonly Arc[]; sold: readonly number[]; held: number }

/**
 * Deals equal slices, each to the path that returns the most after the earlier ones, through at most three
 * connectors. Unlike bench/routing/percentGrid.ts it answers a route, which can be settled exactly.
 */
export function createGrid(): Peer {
  return { name: 'percent grid', keep: (pools) => [...pools], open }
}

function open(market: PeerMarket): ReturnType<Peer['open']> {
  const graph = toGraph(market.pools)
  return async (trade) => {
    const own = chooseTokens(graph, market, trade)
    return sliceCounts.flatMap((slices) => {
      const flow = deal(graph, own, trade, slices)
      return flow === undefined ? [] : [toPeerRoute(flow, trade)]
    })
  }
}

function toGraph(pools: readonly PoolSnapshot[]): Graph {
  const graph: Graph = new Map()
  for (const snapshot of pools) {
    const pool = toPool(snapshot)
    for (const from of pool.tokens) {
      for (const to of pool.tokens) {
        if (from === to) continue
        const near = graph.get(from) ?? new Map<Address, Arc[]>()
        const arcs = near.get(to) ?? []
        graph.set(from, near.set(to, arcs))
        arcs.push({ ...createPoolEdge(pool, from, to), from, to })
      }
    }
  }
  for (const near of graph.values()) {
    for (const [to, arcs] of near)
      near.set(to, arcs.sort((a, b) => b.curve.most - a.curve.most).slice(0, poolsPerPair))
  }
  return graph
}

/** Both tokens, the hubs, the common neighbours, and the deepest neighbours of each. */
function chooseTokens(graph: Graph, { hubs }: PeerMarket, { sell, buy }: PeerTrade): ReadonlySet<Address> {
  const common = [...(graph.get(sell)?.keys() ?? [])].filter((token) => graph.get(buy)?.has(token))
  const deepest = (token: Address) =>
    [...(graph.get(token) ?? new Map<Address, Arc[]>())]
      .map(([near]) => ({ near, most: graph.get(near)?.get(token)?.[0]?.curve.most ?? 0 }))
      .sort((a, b) => b.most - a.most)
      .slice(0, ownNeighbours)
      .map(({ near }) => near)
  return new Set([sell, buy, ...Object.values(hubs), ...common, ...deepest(sell), ...deepest(buy)])
}

/** Returns what each arc sells; undefined if a slice finds no path. */
function deal(
  graph: Graph,
  own: ReadonlySet<Address>,
  { sell, buy, amount }: PeerTrade,
  slices: number,
): Map<Arc, number> | undefined {
  const flow = new Map<Arc, number>()
  const directions = new Map<Address, Arc>()
  const paid = new Map<Address, Set<Address>>()
  for (let slice = 0; slice < slices; slice++) {
    const best = findBest(Number(amount) / slices)
    if (best === undefined) return undefined
    best.arcs.forEach((arc, i) => {
      flow.set(arc, (flow.get(arc) ?? 0) + (best.sold[i] as number))
      directions.set(arc.pool.address, arc)
      paid.set(arc.from, (paid.get(arc.from) ?? new Set()).add(arc.to))
    })
  }
  return flow

  function findBest(input: number): Way | undefined {
    let best: Way | undefined
    let reached = new Map<Address, Way>([[sell, { arcs: [], sold: [], held: input }]])
    for (let hop = 0; hop < maxHops; hop++) {
      const next = new Map<Address, Way>()
      for (const [from, way] of reached) {
        for (const [to, arcs] of graph.get(from) ?? []) {
          if (!own.has(to) || closesCycle(way, to)) continue
          const longer = extend(way, arcs)
          if (longer === undefined || longer.held <= (next.get(to)?.held ?? 0)) continue
          next.set(to, longer)
        }
      }
      const ended = next.get(buy)
      if (ended && ended.held > (best?.held ?? 0)) best = ended
      next.delete(buy)
      reached = next
    }
    return best
  }

  function extend({ arcs, sold, held }: Way, choices: readonly Arc[]): Way | undefined {
    let longer: Way | undefined
    for (const arc of choices) {
      if ((directions.get(arc.pool.address) ?? arc) !== arc) continue
      if (arcs.some(({ pool }) => pool === arc.pool)) continue
      const before = flow.get(arc) ?? 0
      if (before + held > arc.curve.capacity || arc.start * held <= (longer?.held ?? 0)) continue
      const more = arc.curve.bought(before + held) - arc.curve.bought(before)
      if (more > (longer?.held ?? 0)) longer = { arcs: [...arcs, arc], sold: [...sold, held], held: more }
    }
    return longer
  }

  /** True if `to` pays a token of the path, or is one. */
  function closesCycle({ arcs }: Way, to: Address): boolean {
    const before = new Set([sell, ...arcs.map((arc) => arc.to)])
    const waiting = [to]
    const seen = new Set<Address>()
    for (let token = waiting.pop(); token !== undefined; token = waiting.pop()) {
      if (before.has(token)) return true
      if (seen.has(token)) continue
      seen.add(token)
      waiting.push(...(paid.get(token) ?? []))
    }
    return false
  }
}

function toPeerRoute(flow: ReadonlyMap<Arc, number>, { sell, amount }: PeerTrade): PeerRoute {
  const waiting = [...flow.keys()]
  const legs: Leg[] = []
  const open = new Set([sell, ...waiting.map(({ to }) => to)])
  while (open.size > 0) {
    const token = [...open].find(
      (one) => !waiting.some(({ from, to }) => to === one && open.has(from)),
    ) as Address
    open.delete(token)
    const leaving = waiting.filter(({ from }) => from === token)
    let left = leaving.reduce((sum, arc) => sum + (flow.get(arc) as number), 0)
    leaving.forEach((arc, i) => {
      const sold = flow.get(arc) as number
      const part = i === leaving.length - 1 ? 1 : sold / left
      legs.push({ pool: arc.pool.address, sell: arc.from, buy: arc.to, part })
      left -= sold
    })
  }
  const gas = waiting.reduce(
    (sum, arc) => sum + Number(arc.pool.gas(arc.from, arc.to, BigInt(Math.round(flow.get(arc) as number)))),
    0,
  )
  return { branches: [{ amount, legs }], gas }
}
