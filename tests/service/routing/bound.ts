import type { Address } from '../../../service/config.ts'
import type { Pool } from '../../../service/pools/pool.ts'
import type { Curve } from '../../../service/pools/priceCurve.ts'
import type { Route } from '../../../service/routing/route.ts'

/**
 * Returns an upper bound of any trade's return (Diamandis et al. 2023, arXiv 2302.04938, section 2): at any
 * prices, the worth of the sold amount plus each pool's arbitrage profit. Independent of the router's code.
 */
export function upperBound(pools: readonly Pool[], sell: Address, buy: Address, amount: number): number {
  const tokens = [...new Set(pools.flatMap((pool) => pool.tokens))].filter((token) => token !== buy)
  const arcs = pools.flatMap((pool) => {
    const pairs = pool.tokens.flatMap((from) => pool.tokens.map((to) => ({ from, to })))
    return pairs.flatMap(({ from, to }) => (from === to ? [] : [{ from, to, curve: pool.curve(from, to) }]))
  })
  const prices = new Map<Address, number>([[buy, 1]])
  // Starts at pool prices.
  for (let round = 0; round < tokens.length; round++) {
    for (const { from, to, curve } of arcs) {
      const price = prices.get(to)
      if (price !== undefined && !prices.has(from)) prices.set(from, (curve.bought(1e6) / 1e6) * price)
    }
  }
  const priced = tokens.filter((token) => prices.has(token))

  const value = () =>
    amount * (prices.get(sell) ?? 0) +
    arcs.reduce((sum, { from, to, curve }) => {
      const [paid, got] = [prices.get(from), prices.get(to)]
      return paid === undefined || got === undefined ? sum : sum + earnings(curve, paid, got)
    }, 0)

  let best = value()
  const tryScaling = (group: readonly Address[], factor: number): boolean => {
    const scale = (by: number) => {
      for (const token of group) prices.set(token, (prices.get(token) as number) * by)
    }
    scale(factor)
    const now = value()
    if (now < best * (1 - 1e-12)) {
      best = now
      return true
    }
    scale(1 / factor)
    return false
  }
  // Deep pools tie prices together, so groups are scaled.
  const groups = subsets(priced)
  for (let width = 1; width > 1e-9; width /= 2) {
    for (let better = true; better; ) {
      better = groups.some((group) => tryScaling(group, 1 + width) || tryScaling(group, 1 / (1 + width)))
    }
  }
  return best
}

export function subsets<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: 2 ** items.length - 1 }, (_, mask) =>
    items.filter((_, i) => ((mask + 1) >> i) & 1),
  )
}

function earnings(curve: Curve, paid: number, got: number): number {
  const sold = curve.soldAt(paid / got)
  return Math.max(0, got * curve.bought(sold) - paid * sold)
}

/** Returns all of a route as plain data, to compare. */
export function withBound(route: Route | undefined) {
  return route && { ...route, evidence: { ...route.evidence, bound: route.evidence.bound() } }
}
