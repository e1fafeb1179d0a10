import type { Address } from '../config.ts'
import type { Curve } from '../pools/curve.ts'
import type { Pool } from '../pools/pool.ts'
import type { Market } from './market.ts'
import type { RouteLimits } from './route.ts'

/** Where a trade may go: a small graph cut out of the market. */
export type Candidates = {
  /** The sold token first, the bought one last, connectors between. */
  tokens: readonly Address[]
  arcs: readonly Arc[]
}

/** A pool in one direction. `from` and `to` are indexes into `tokens`. */
export type Arc = { pool: Pool; curve: Curve; from: number; to: number; sell: Address; buy: Address }

/** What of the limits decides where a trade may go. */
export type Bounds = Pick<RouteLimits, 'complexityLevel' | 'connectors' | 'sources' | 'avoid'>

/** What of a chain the router has to know besides its market. */
export type Ground = {
  wrapped: Address
  /** Tokens that every trade may go through. */
  connectors: readonly Address[]
  /**
   * Tokens that a trade may go through when they serve it: listed by the operator, and known to deliver all that is sent. A pool
   * is no reason for trust: anybody can open one between a known token and his own, at a price that no transfer keeps.
   */
  trusted: readonly Address[]
}

/** Pools of a pair beyond these are too shallow to matter. */
const poolsPerPair = 8
/** Trusted tokens that join the connectors: those that lead from `sell` to `buy` in one step, and those next to either. */
const commonNeighbours = 4
const ownNeighbours = 2

/**
 * The pools worth a look when `amount` of `sell` is to become `buy`. Connectors are the given ones, else the
 * chain's own and whatever serves this pair best.
 */
export function findCandidates(
  market: Market,
  ground: Ground,
  sell: Address,
  buy: Address,
  amount: number,
  bounds: Bounds,
): Candidates {
  const usable = (pool: Pool) => bounds.sources.has(pool.source) && !bounds.avoid?.has(pool.address)
  const poolsOf = (from: Address, to: Address) => market.pools(from, to).filter(usable).slice(0, poolsPerPair)
  const mayConnect = (token: Address) => token !== sell && token !== buy

  const level = bounds.complexityLevel
  const connectors = level === 0 ? [] : chooseConnectors()
  const tokens = [sell, ...connectors, buy]
  const last = tokens.length - 1
  const arcs = tokens.flatMap((from, i) =>
    tokens.flatMap((to, j) => {
      if (i === j || i === last || j === 0 || (level < 2 && i > 0 && j < last)) return []
      return poolsOf(from, to).map(
        (pool): Arc => ({
          pool,
          curve: pool.curve(from, to),
          from: i,
          to: j,
          sell: from,
          buy: to,
        }),
      )
    }),
  )
  return { tokens, arcs }

  function chooseConnectors(): Address[] {
    const chosen = [...new Set(bounds.connectors ?? ground.connectors)].filter(mayConnect)
    if (bounds.connectors) return chosen
    const others = ground.trusted.filter((token) => mayConnect(token) && !chosen.includes(token))
    const afterSell = others.filter((token) => poolsOf(sell, token).length > 0)
    const beforeBuy = others.filter((token) => poolsOf(token, buy).length > 0)

    chosen.push(...best(afterSell, commonNeighbours, (token) => through([sell, token, buy])))
    if (level < 2) return chosen
    const viaChosen = (path: (next: Address) => Address[]) =>
      Math.max(0, ...chosen.map((next) => through(path(next))))
    const first = best(afterSell, ownNeighbours, (token) => viaChosen((next) => [sell, token, next, buy]))
    const second = best(beforeBuy, ownNeighbours, (token) => viaChosen((next) => [sell, next, token, buy]))
    return [...new Set([...chosen, ...first, ...second])]
  }

  /** What `amount` becomes along these tokens, through the best pool of each step. */
  function through(path: readonly Address[]): number {
    return path.slice(1).reduce((held, to, i) => {
      const from = path[i] as Address
      if (from === to || held === 0) return 0
      return Math.max(0, ...poolsOf(from, to).map((pool) => pool.curve(from, to).bought(held)))
    }, amount)
  }
}

/** Estimated gas of a hop that sells `sold` through an arc. */
export function arcGas({ pool, sell, buy }: Arc, sold: number): number {
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
