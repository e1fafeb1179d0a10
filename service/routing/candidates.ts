import type { Address } from '../config.ts'
import type { Pool } from '../pools/pool.ts'
import { createPoolEdge, type PoolEdge, type PoolGraph } from './market.ts'
import type { RouteLimits } from './route.ts'

/** Where a trade may go: a small graph cut out of the market. */
export type Candidates = {
  /** The sold token first, the bought one last, connectors between. */
  tokens: readonly Address[]
  arcs: readonly RoutingEdge[]
}

/** A pool in one direction. `from` and `to` are indexes into `tokens`. */
export type RoutingEdge = PoolEdge & { from: number; to: number; sell: Address; buy: Address }

/** What of the limits decides where a trade may go. */
export type Bounds = Pick<RouteLimits, 'complexityLevel' | 'connectors' | 'sources' | 'avoid'>

/** What of a chain the router has to know besides its market. */
export type RoutingInput = {
  wrapped: Address
  /** Tokens that every trade may go through. */
  connectors: readonly Address[]
}

/** Pools of a pair beyond these are too shallow to matter. */
const poolsPerPair = 16
/** Trusted tokens that join the connectors: those that lead from `sell` to `buy` in one step, and those next to either. */
const commonNeighbours = 8
const ownNeighbours = 6
/** How many of them are looked at. */
const mostCommon = 60
const mostOwn = 30

/**
 * The pools worth a look when `amount` of `sell` is to become `buy`. Connectors are the given ones, else the
 * chain's own and whatever serves this pair best.
 */
export function findCandidates(
  market: PoolGraph,
  ground: RoutingInput,
  sell: Address,
  buy: Address,
  amount: number,
  bounds: Bounds,
): Candidates {
  const isUsable = ({ pool }: PoolEdge) =>
    bounds.sources.has(pool.source) && bounds.avoid?.has(pool.address) !== true
  const level = bounds.complexityLevel
  const tokens = [sell, ...(level === 0 ? [] : chooseConnectors()), buy]
  return { tokens, arcs: listArcs() }

  function chooseConnectors(): Address[] {
    const isBetween = (token: Address) => token !== sell && token !== buy
    const hubs = [...new Set(bounds.connectors ?? ground.connectors)].filter(isBetween)
    if (bounds.connectors) return hubs
    const others = (most: number, ...near: Address[]) => {
      return market.neighbours(near, most).filter((token) => isBetween(token) && !hubs.includes(token))
    }
    const common = best(others(mostCommon, sell, buy), commonNeighbours, (token) =>
      step(token, buy, step(sell, token, amount)),
    )
    if (level < 2) return [...hubs, ...common]

    const reached = reach(sell, amount)
    const first = best(others(mostOwn, sell), ownNeighbours, (token) => {
      const held = step(sell, token, amount)
      const direct = mostOf(
        hubs.map((hub) => ({ hub, held: step(token, hub, held) })),
        buy,
      )
      return direct > 0 ? direct : mostOf(reach(token, held), buy)
    })
    const second = best(others(mostOwn, buy), ownNeighbours, (token) =>
      step(token, buy, mostOf(reached, token)),
    )
    return [...new Set([...hubs, ...common, ...first, ...second])]

    /** Amount of each hub that `held` becomes, directly or through other hubs. */
    function reach(from: Address, held: number): Reached[] {
      const reached = hubs.map((hub) => ({ hub, held: step(from, hub, held) }))
      for (let round = 1; round < hubs.length; round++) {
        let isBetter = false
        for (const to of reached) {
          const most = mostOf(reached, to.hub)
          if (most <= to.held * (1 + negligible)) continue
          to.held = most
          isBetter = true
        }
        if (!isBetter) break
      }
      return reached
    }

    /** The most that what is held in one of the hubs becomes. */
    function mostOf(reached: readonly Reached[], to: Address): number {
      return Math.max(0, ...reached.map(({ hub, held }) => step(hub, to, held)))
    }
  }

  /** What `held` becomes through the best pool of a pair. */
  function step(from: Address, to: Address, held: number): number {
    let most = 0
    if (from === to || held === 0) return most
    let left = poolsPerPair
    for (const offer of market.offers(from, to)) {
      if (!isUsable(offer)) continue
      // It never buys more than at its start.
      if (offer.start * held > most) most = Math.max(most, offer.curve.bought(held))
      if (--left === 0) break
    }
    return most
  }

  function listArcs(): RoutingEdge[] {
    const arcs: RoutingEdge[] = []
    const last = tokens.length - 1
    for (let from = 0; from < last; from++) {
      for (let to = 1; to <= last; to++) {
        if (from === to || (level < 2 && from > 0 && to < last)) continue
        const [sell, buy] = [tokens[from], tokens[to]] as [Address, Address]
        let left = poolsPerPair
        for (const offer of market.offers(sell, buy)) {
          if (!isUsable(offer)) continue
          arcs.push({ pool: offer.pool, curve: offer.curve, start: offer.start, from, to, sell, buy })
          if (--left === 0) break
        }
      }
    }
    return arcs
  }
}

/** A connector and how much of it is held. */
type Reached = { hub: Address; held: number }

/** Part of an amount for which no longer way is looked at. */
const negligible = 1e-3

export function createArc(tokens: readonly Address[], pool: Pool, from: number, to: number): RoutingEdge {
  const [sell, buy] = [tokens[from], tokens[to]] as [Address, Address]
  const { curve, start } = createPoolEdge(pool, sell, buy)
  return { pool, curve, start, from, to, sell, buy }
}

/** Estimated gas of a hop that sells `sold` through an arc. */
export function arcGas({ pool, sell, buy }: RoutingEdge, sold: number): number {
  return Number(pool.gas(sell, buy, BigInt(Math.round(sold))))
}

function best(tokens: readonly Address[], count: number, score: (token: Address) => number): Address[] {
  return tokens
    .map((token) => ({ token, score: score(token) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.token < b.token ? -1 : 1))
    .slice(0, count)
    .map(({ token }) => token)
}
