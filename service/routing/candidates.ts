import type { Address } from '../config.ts'
import type { Pool } from '../pools/pool.ts'
import type { MarketView } from './admission/marketView.ts'
import { createPoolEdge, type PoolEdge } from './market.ts'

export type Candidates = {
  /** Sold token first, bought token last. */
  tokens: readonly Address[]
  arcs: readonly RoutingEdge[]
  /** Of further pools of a pair, which do not pay at the prices. */
  spare: readonly RoutingEdge[]
}

/** `from` and `to` are indexes into `tokens`; `l1Gas` is the L1 fee of the hop's calldata, in gas. */
export type RoutingEdge = PoolEdge & { from: number; to: number; sell: Address; buy: Address; l1Gas: number }

export type RoutingInput = {
  wrapped: Address
  connectors: readonly Address[]
}

/** Deepest pools of a pair; further ones join when they pay. */
const poolsPerPair = 16

/**
 * Returns the arcs between the tokens, and those of further pools of a pair as `spare`.
 *
 * Below level 2 no arc leads from connector to connector, which is that limit exactly, and convex: a path
 * of one connector has only arcs from the sold token and to the bought one, and a flow of such arcs splits
 * into paths (flow decomposition) that each pass one connector at most.
 */
export function listCandidates(
  view: MarketView,
  tokens: readonly Address[],
  complexityLevel: number,
  joined: ReadonlySet<Pool>,
): Candidates {
  const arcs: RoutingEdge[] = []
  const spare: RoutingEdge[] = []
  const last = tokens.length - 1
  for (let from = 0; from < last; from++) {
    for (let to = 1; to <= last; to++) {
      if (from === to || (complexityLevel < 2 && from > 0 && to < last)) continue
      const [sell, buy] = [tokens[from], tokens[to]] as [Address, Address]
      const l1Gas = view.l1Gas.hop + (to < last ? view.l1Gas.connector : 0)
      view.offers(sell, buy).forEach((offer, rank) => {
        const list = rank < poolsPerPair || joined.has(offer.pool) ? arcs : spare
        list.push({ pool: offer.pool, curve: offer.curve, start: offer.start, from, to, sell, buy, l1Gas })
      })
    }
  }
  return { tokens, arcs, spare }
}

export function createRoutingEdge(
  tokens: readonly Address[],
  pool: Pool,
  from: number,
  to: number,
): RoutingEdge {
  const [sell, buy] = [tokens[from], tokens[to]] as [Address, Address]
  const { curve, start } = createPoolEdge(pool, sell, buy)
  return { pool, curve, start, from, to, sell, buy, l1Gas: 0 }
}

/** Estimates the gas of a hop, with the L1 fee of its calldata. */
export function edgeGas({ pool, sell, buy, l1Gas }: RoutingEdge, sold: number): number {
  return Number(pool.gas(sell, buy, BigInt(Math.round(sold)))) + l1Gas
}
