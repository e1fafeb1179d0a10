import type { Address } from '../../service/config.ts'
import type { Pool } from '../../service/pools/pool.ts'
import type { PoolSnapshot } from '../../service/pools/poolType.ts'
import { toPool } from '../../service/pools/registry.ts'
import { createRoutingEdge, type RoutingEdge } from '../../service/routing/candidates.ts'
import { jointProfitOf } from './jointProfit.ts'

/** By pool of several tokens, at prices by place: the most that swaps pay which sell these places' tokens. */
export type Joints = Map<Pool, (prices: Float64Array, sold: readonly number[]) => number>

export type Paying = { arc: RoutingEdge; profit: number }

/** Returns the arcs of all pools in both directions, and the most that pools of several tokens pay. */
export function createMarketArcs(standings: readonly PoolSnapshot[], places: ReadonlyMap<Address, number>) {
  const tokens = [...places.keys()]
  const joints: Joints = new Map()
  const arcs = standings.flatMap((standing) => {
    const pool = toPool(standing)
    const own = pool.tokens.map((token) => places.get(token))
    const joint = jointProfitOf(standing)
    if (joint) {
      joints.set(pool, (prices, sold) => {
        // A token without a price is unreachable.
        const known = own.map((place) => (place === undefined ? undefined : prices[place] || undefined))
        return joint(
          known,
          own.map((place) => sold.filter((other) => other === place).length),
        )
      })
    }
    const listed = own.filter((place) => place !== undefined)
    const pairs = listed.flatMap((from) => listed.map((to) => [from, to] as const))
    return pairs.flatMap(([from, to]) => (from === to ? [] : [createRoutingEdge(tokens, pool, from, to)]))
  })
  return { arcs, joints }
}

/** By how much pools' pairs profit more than all of a pool's trades together can. */
export function overcount(joints: Joints, prices: Float64Array, paying: readonly Paying[]): number {
  const byPool = new Map<Pool, Paying[]>()
  for (const one of paying) {
    const { pool } = one.arc
    if (joints.has(pool)) byPool.set(pool, [...(byPool.get(pool) ?? []), one])
  }
  let excess = 0
  for (const [pool, own] of byPool) {
    if (own.length < 2) continue
    const sum = own.reduce((total, { profit }) => total + profit, 0)
    const sold = own.map(({ arc }) => arc.from)
    excess += Math.max(0, sum - (joints.get(pool)?.(prices, sold) ?? sum))
  }
  return excess
}

/** The tokens of pools of which several pairs profit. */
export function sharedTokens(joints: Joints, paying: readonly Paying[]): number[] {
  const own = paying.filter(({ arc }) => joints.has(arc.pool))
  const shared = own.filter(({ arc }) =>
    own.some((other) => other.arc !== arc && other.arc.pool === arc.pool),
  )
  return [...new Set(shared.flatMap(({ arc }) => [arc.from, arc.to]))]
}
