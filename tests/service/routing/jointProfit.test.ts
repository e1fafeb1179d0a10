import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../bench/random.ts'
import { jointProfitOf } from '../../../bench/routing/jointProfit.ts'
import { createMarketBound } from '../../../bench/routing/marketBound.ts'
import { createMixedSynthetic } from '../../../bench/routing/mixedSynthetic.ts'
import { createTrades, toAmount, toRouteLimits } from '../../../bench/routing/trades.ts'
import type { Pool } from '../../../service/pools/pool.ts'
import { poolTypes, toPool } from '../../../service/pools/registry.ts'
import { findRoute } from '../../../service/routing/findRoute.ts'
import { createPoolGraph } from '../../../service/routing/market.ts'
import type { RouteRequest } from '../../../service/routing/route.ts'
import { slow } from '../../helpers/slow.ts'

slow('Markets of 1,000 pools are built, searched and bounded.')

const market = createMixedSynthetic(1_000)
const { config, tokens, standings } = market
const priced = new Map(tokens.map(({ address, usd, decimals }) => [address, usd / 10 ** decimals]))

describe('the market of all kinds', () => {
  it('has valid pools of every kind, each with its source in the config', () => {
    const kinds = new Set(standings.map(({ listing }) => listing.kind))
    expect([...kinds].sort()).toEqual(Object.keys(poolTypes).sort())
    const sources = new Set(config.factories.map(({ source }) => source))
    for (const { listing, state } of standings) {
      expect(poolTypes[listing.kind].isValid(listing.tokens.length, listing.fixed, state)).toBe(true)
      expect(sources.has(listing.source)).toBe(true)
    }
  })

  it('prices no pool so that a swap at the true worth of the tokens gains', () => {
    for (const standing of standings) {
      const pool = toPool(standing)
      for (const sell of pool.tokens) {
        for (const buy of pool.tokens) {
          if (sell === buy) continue
          const gain = (pool.curve(sell, buy).slope(0) * priced.get(buy)!) / priced.get(sell)!
          expect(gain, standing.listing.kind).toBeLessThan(1 + 1e-12)
        }
      }
    }
  })

  it('is the same for the same size', () => {
    expect(createMixedSynthetic(200)).toEqual(createMixedSynthetic(200))
  })
})

describe('jointProfitOf', () => {
  it('is reached by no sequence of a pool’s swaps, and almost by good ones', () => {
    const random = createRandom(3)
    const closest = new Map<string, number>()
    for (const standing of standings) {
      const joint = jointProfitOf(standing)
      if (joint === undefined) continue
      const pool = toPool(standing)
      for (const width of [0.002, 0.02, 0.02, 0.2, 1, 3]) {
        const prices = pool.tokens.map(
          (token) => priced.get(token)! * Math.exp(random.between(-width, width)),
        )
        const most = joint(
          prices,
          pool.tokens.map(() => turns),
        )
        const got = gainInTurns(pool, prices)
        expect(got).toBeLessThanOrEqual(most * (1 + 1e-6) + 1e-6)
        const { kind } = standing.listing
        if (most > 1) closest.set(kind, Math.max(closest.get(kind) ?? 0, got / most))
      }
    }
    expect([...closest.keys()].sort()).toEqual(['curve', 'stable', 'weighted', 'weighted-v3'])
    for (const part of closest.values()) expect(part).toBeGreaterThan(0.98)
  })

  const turns = 60

  /** Each round takes a part of what the pair that gains most offers, from tokens never bought to others. */
  function gainInTurns(first: Pool, prices: readonly number[]): number {
    const { tokens } = first
    const sides = new Map<number, 'sold' | 'bought'>()
    let pool = first
    let total = 0
    for (let round = 0; round < turns; round++) {
      let best = { from: 0, to: 0, sold: 0, gain: 0 }
      for (const [from, sell] of tokens.entries()) {
        for (const [to, buy] of tokens.entries()) {
          if (from === to || sides.get(from) === 'bought' || sides.get(to) === 'sold') continue
          const sold = pool.curve(sell, buy).soldAt(prices[from]! / prices[to]!)
          const gain = pool.curve(sell, buy).bought(sold) * prices[to]! - sold * prices[from]!
          if (gain > best.gain) best = { from, to, sold: sold * (round < 40 ? 0.3 : 1), gain }
        }
      }
      const { from, to } = best
      const sold = BigInt(Math.floor(best.sold))
      const bought = sold > 0n ? pool.quote(tokens[from]!, tokens[to]!, sold) : 0n
      if (bought === 0n) break
      const gain = Number(bought) * prices[to]! - Number(sold) * prices[from]!
      if (gain <= 0) break
      sides.set(from, 'sold').set(to, 'bought')
      total += gain
      pool = pool.after!(tokens[from]!, tokens[to]!, sold)
    }
    return total
  }
})

describe('findRoute in the market of all kinds', () => {
  const listed = tokens.slice(0, config.tokens.length)
  const graph = createPoolGraph(new Set(listed.map(({ address }) => address)))
  for (const standing of standings) {
    graph.put(standing.listing.address, standing.listing.tokens, () => toPool(standing))
  }
  const chain = { wrapped: config.wrapped, connectors: config.connectors }
  const boundOf = createMarketBound(standings, listed)
  const limits = toRouteLimits(config, 0n)
  const partOf = (request: RouteRequest) => {
    return Number(findRoute(graph, chain, request)!.returns) / boundOf(request)
  }

  it('reaches the bound over all pools, in which a pool of several tokens counts once', () => {
    for (const usd of [1_000, 100_000]) {
      const draw = createTrades(listed, limits, usd, usd + 3)
      for (let i = 0; i < 7; i++) {
        const part = partOf(draw())
        expect(part).toBeGreaterThan(0.9999)
        expect(part).toBeLessThanOrEqual(1 + 1e-9)
      }
    }
  })

  it('sells through a wrapper where the amount uses up the stable pools around it', () => {
    const [share, other] = [tokens[208]!, tokens[6]!]
    const request = { sell: share.address, buy: other.address, amount: toAmount(share, 1e6), limits }
    expect(partOf(request)).toBeGreaterThan(0.999)
  })
})
