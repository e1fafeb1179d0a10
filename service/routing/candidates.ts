import type { Address } from '../config.ts'
import type { Pool } from '../pools/pool.ts'
import { createPoolEdge, type PoolEdge, type PoolGraph } from './market.ts'

export type RouteLimits = {
  /** Connectors per path: 0 or 1; 2 is unlimited. */
  complexityLevel: number
  /** Maximum paths, and branches from the sold token. */
  parts: number
  mainRouteParts: number
  /** Infinity is unlimited. */
  connectorCount: number
  connectors?: readonly Address[]
  sources: ReadonlySet<string>
  /** True to trade the native token only with pools that hold it. */
  excludesWrapping?: boolean
  avoid?: ReadonlySet<Address>
  /** Wei; 0 ignores gas. */
  gasPrice: bigint
  gasLimit: bigint
  /** True for branches that can fail alone. */
  apart: boolean
}

export type Candidates = {
  /** Sold token first, bought token last. */
  tokens: readonly Address[]
  arcs: readonly RoutingEdge[]
}

/** `from` and `to` are indexes into `tokens`. */
export type RoutingEdge = PoolEdge & { from: number; to: number; sell: Address; buy: Address }

export type Bounds = Pick<RouteLimits, 'complexityLevel' | 'connectors' | 'sources' | 'avoid'>

export type RoutingInput = {
  wrapped: Address
  connectors: readonly Address[]
}

const poolsPerPair = 16
/** Neighbours added as connectors: of both tokens, or of one. */
const commonNeighbours = 8
const ownNeighbours = 6
const maxCommon = 60
const maxOwn = 30

/** Returns the pools to consider. Connectors are the request's, or the chain's and the best neighbours. */
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
    const common = best(others(maxCommon, sell, buy), commonNeighbours, (token) =>
      step(token, buy, step(sell, token, amount)),
    )
    if (level < 2) return [...hubs, ...common]

    const reached = reach(sell, amount)
    const first = best(others(maxOwn, sell), ownNeighbours, (token) => {
      const held = step(sell, token, amount)
      const direct = mostOf(
        hubs.map((hub) => ({ hub, held: step(token, hub, held) })),
        buy,
      )
      return direct > 0 ? direct : mostOf(reach(token, held), buy)
    })
    const second = best(others(maxOwn, buy), ownNeighbours, (token) =>
      step(token, buy, mostOf(reached, token)),
    )
    return [...new Set([...hubs, ...common, ...first, ...second])]

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

    function mostOf(reached: readonly Reached[], to: Address): number {
      return Math.max(0, ...reached.map(({ hub, held }) => step(hub, to, held)))
    }
  }

  function step(from: Address, to: Address, held: number): number {
    let most = 0
    if (from === to || held === 0) return most
    let left = poolsPerPair
    for (const offer of market.offers(from, to)) {
      if (!isUsable(offer)) continue
      // The start price bounds the output.
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

type Reached = { hub: Address; held: number }

const negligible = 1e-3

export function createRoutingEdge(
  tokens: readonly Address[],
  pool: Pool,
  from: number,
  to: number,
): RoutingEdge {
  const [sell, buy] = [tokens[from], tokens[to]] as [Address, Address]
  const { curve, start } = createPoolEdge(pool, sell, buy)
  return { pool, curve, start, from, to, sell, buy }
}

/** Estimates the gas of a hop. */
export function edgeGas({ pool, sell, buy }: RoutingEdge, sold: number): number {
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
