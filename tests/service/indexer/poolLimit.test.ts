import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Address } from '../../../service/config.ts'
import type { Chain } from '../../../service/indexer/chain.ts'
import {
  createExtraPools,
  limitFound,
  limitPools,
  limitRead,
  maxEmptyPools,
  maxExtraPools,
  maxFirst,
  maxLast,
  maxRead,
} from '../../../service/indexer/poolLimit.ts'
import { createPoolState } from '../../../service/indexer/poolState.ts'
import { sqrtPriceAtTick } from '../../../service/pools/math/sqrtPrice.ts'
import type { PoolSnapshot } from '../../../service/pools/poolType.ts'
import { toPool } from '../../../service/pools/registry.ts'
import { findRoute } from '../../../service/routing/findRoute.ts'
import { createPoolGraph } from '../../../service/routing/market.ts'
import { snapshots } from '../../helpers/service/randomSnapshots.ts'
import { freely } from '../../helpers/service/requests.ts'

const addressOf = (space: string, index: number): Address =>
  `0x${space}${index.toString(16).padStart(6, '0')}${'7c'.repeat(16)}`
const tokens = [addressOf('ff', 1), addressOf('ff', 2)]
const block = { number: 5n, hash: `0x${'05'.repeat(32)}`, parentHash: `0x${'04'.repeat(32)}` } as const
const header = { ...block, timestamp: 5n, baseFeePerGas: 0n }

/** Of an unusual fee; both tokens in one range around the price. */
function managed(index: number, liquidity: bigint, fee = 4_321): PoolSnapshot {
  const ends = [-60, 60].map((tick, i) => {
    return { index: tick, net: i === 0 ? liquidity : -liquidity, sqrtPrice: sqrtPriceAtTick(tick) }
  })
  const fixed = { manager: addressOf('aa', 0), hooks: `0x${'00'.repeat(20)}`, fee, tickSpacing: 60 }
  return {
    listing: {
      ...{ kind: 'uniswap-v4', source: 'UNISWAP_V4', address: addressOf('0a', index), tokens },
      fixed: { ...fixed, isNative: false },
    },
    state: {
      ...{ sqrtPrice: sqrtPriceAtTick(0), tick: 0, liquidity, protocolFee: 0 },
      ticks: liquidity === 0n ? [] : ends,
    },
  }
}

const many = (count: number, liquidity: (i: number) => bigint) =>
  Array.from({ length: count }, (_, i) => managed(i, liquidity(i)))
const addresses = (pools: readonly PoolSnapshot[]) => pools.map(({ listing }) => listing.address)

describe('createExtraPools', () => {
  it('keeps those that hold most, whatever the order, and the newest empty ones beside them', () => {
    const rich = many(maxExtraPools + 9, (i) => BigInt(((i * 7) % 41) + 1) * 10n ** 9n)
    const empty = Array.from({ length: maxEmptyPools + 5 }, (_, i) => managed(1_000 + i, 0n))
    const most = [...rich]
      .sort((a, b) =>
        (a.state as { liquidity: bigint }).liquidity > (b.state as { liquidity: bigint }).liquidity ? -1 : 1,
      )
      .slice(0, maxExtraPools)
    const expected = [...addresses(most), ...addresses(empty.slice(5))].sort()
    for (const order of [
      [...rich, ...empty],
      [...empty, ...rich],
      [...empty, ...rich.toReversed()],
    ]) {
      expect(addresses(limitPools(order)).sort()).toEqual(expected)
    }
  })

  it('counts changes of what a pool holds, removed pools, and nothing of an update that was not committed', () => {
    const extras = createExtraPools()
    const first = extras.begin(true)
    const pools = many(maxExtraPools, () => 10n ** 9n)
    for (const pool of pools) expect(first.put(pool)).toEqual([])
    first.commit()
    const small = managed(500, 10n ** 8n)
    const discarded = extras.begin(false)
    discarded.remove(pools[0]!.listing.address)
    expect(discarded.put(small)).toEqual([])
    const second = extras.begin(false)
    expect(second.put(small)).toEqual([small.listing.address])
    // It loses what it held.
    expect(second.put(managed(3, 10n ** 7n))).toEqual([])
    expect(second.put(small)).toEqual([pools[3]!.listing.address])
    second.commit()
    const third = extras.begin(false)
    third.remove(pools[4]!.listing.address)
    expect(third.put(managed(501, 1_000_000n))).toEqual([])
    third.commit()
    const whole = extras.begin(true)
    for (const pool of many(maxExtraPools, () => 10n ** 6n)) expect(whole.put(pool)).toEqual([])
  })
})

/** Of Curve's StableSwap-NG. */
function stableSwap(index: number, of: readonly Address[], balance: bigint): PoolSnapshot {
  const each = <T>(item: T) => of.map(() => item)
  const rest = { hasRates: false, isFloating: false, nativeIndex: -1 }
  return {
    listing: {
      ...{ kind: 'curve-ng', source: 'CURVE_STABLE_NG', address: addressOf('0b', index), tokens: of },
      fixed: { form: 2, precision: 100, decimals: each(18), ...rest },
    },
    state: {
      ...{ amplification: 20_000n, fee: 1_000_000n, adminFee: 0n, offpegMultiplier: 0n },
      ...{ balances: each(balance), rates: each(10n ** 18n) },
      ...{ isJoint: true, isUsable: true, isMoving: false },
    },
  }
}

describe('pools that anyone can create', () => {
  it('do not slow the search down, however many there are, and leave it the deepest', () => {
    const whole = 10n ** 18n
    const honest = Array.from({ length: 12 }, (_, i) =>
      stableSwap(i, tokens, BigInt(i + 1) * 10_000n * whole),
    )
    const dust = Array.from({ length: 5_000 }, (_, i) =>
      stableSwap(100 + i, tokens, i % 3 === 0 ? 0n : BigInt(i) * 10n ** 15n),
    )
    const routes = [honest, [...dust.slice(0, 2_500), ...honest, ...dust.slice(2_500)]].map((pools) => {
      const state = createPoolState()
      state.apply({ block: header, tip: 0n, pools })
      const kept = state.whole()!.pools
      const graph = createPoolGraph(new Set())
      for (const pool of kept) graph.put(pool.listing.address, pool.listing.tokens, () => toPool(pool))
      const [from, to] = tokens as [Address, Address]
      const input = { wrapped: from, connectors: [] }
      const request = { sell: from, buy: to, amount: 200_000n * whole, limits: freely }
      const route = findRoute(graph, input, request)!
      return { offers: graph.offers(from, to).length, kept: kept.length, returns: route.returns }
    })
    expect(routes[0]).toMatchObject({ offers: 12, kept: 12 })
    expect(routes[1]).toMatchObject({ offers: maxExtraPools, kept: maxExtraPools + maxEmptyPools })
    // The richest of the dust bring a little.
    expect(routes[1]!.returns).toBeGreaterThanOrEqual(routes[0]!.returns)
  })

  it('do not crowd a pair by means of a third token of their own', () => {
    const pools = Array.from({ length: 100 }, (_, i) =>
      stableSwap(i, [...tokens, addressOf('fe', i)], BigInt(i + 1) * 10n ** 18n),
    )
    expect(limitPools(pools)).toEqual(pools.slice(-maxExtraPools))
  })

  it('make way for others while they are closed', () => {
    const closed = Array.from({ length: maxExtraPools }, (_, i) => {
      const { listing, state } = stableSwap(i, tokens, 10n ** 24n)
      return { listing, state: { ...(state as object), isUsable: false } }
    })
    const small = stableSwap(900, tokens, 10n ** 18n)
    const others = Array.from({ length: maxExtraPools }, (_, i) => stableSwap(500 + i, tokens, 10n ** 19n))
    expect(limitPools([...closed, ...others, small])).toEqual([...closed, ...others])
    expect(limitPools([...closed, ...others.slice(1), small])).toEqual([...closed, ...others.slice(1), small])
  })

  it('are limited where factories are open to all, in every kind', () => {
    const limited = new Set<string>()
    for (const { listing, state } of fc.sample(snapshots(1), { numRuns: 300, seed: 3 })) {
      const clones = Array.from({ length: 80 }, (_, i) => {
        return { listing: { ...listing, address: addressOf('0c', i) }, state }
      })
      const kept = limitPools(clones).length
      expect([32, 80]).toContain(kept)
      if (kept < 80) limited.add(listing.kind)
    }
    expect([...limited].sort()).toEqual([
      ...['curve-factory', 'curve-ng', 'stable', 'stable-v3', 'uniswap-v4', 'weighted', 'weighted-v3'],
    ])
  })
})

describe('PoolState', () => {
  it('drops the pool that holds least for one that holds more, and later takes it back', () => {
    const state = createPoolState()
    const pools = many(maxExtraPools, (i) => BigInt(i + 1) * 10n ** 9n)
    state.apply({ block: header, tip: 0n, pools })
    const next = { ...header, number: 6n, hash: `0x${'06'.repeat(32)}` as const, parentHash: header.hash }
    const rich = managed(900, 10n ** 12n)
    state.apply({ after: header.hash, block: next, tip: 0n, pools: [managed(901, 10n ** 6n), rich] })
    const kept = () => addresses(state.whole()!.pools).sort()
    expect(kept()).toEqual(addresses([...pools.slice(1), rich]).sort())
    const third = { ...next, number: 7n, hash: `0x${'07'.repeat(32)}` as const, parentHash: next.hash }
    state.apply({ after: next.hash, block: third, tip: 0n, pools: [managed(0, 10n ** 13n)] })
    expect(kept()).toEqual(addresses([pools[0]!, ...pools.slice(2), rich]).sort())
  })
})

describe('limitFound', () => {
  it('remembers the first and the last pools of a pair, and all of usual fees', () => {
    const extra = many(maxFirst + maxLast + 700, () => 0n).map(({ listing }) => listing)
    const usual = Array.from({ length: 9 }, (_, i) => managed(9_000 + i, 0n, 3_000).listing)
    const found = limitFound([...extra, ...usual])
    expect(found).toEqual([...extra.slice(0, maxFirst), ...extra.slice(-maxLast), ...usual])
  })
})

describe('limitRead', () => {
  const chain = (liquidity: readonly bigint[]) => {
    const asked: number[] = []
    const read: Chain['read'] = async (lists) => {
      asked.push(lists.length)
      return lists.map((_, i) => [`0x${(liquidity[i] ?? 0n).toString(16).padStart(64, '0')}`])
    }
    return { chain: { read } as Chain, asked }
  }

  it('chooses by liquidity among many pools of a pair, and the newest of equals', async () => {
    const listings = many(maxRead + 30, () => 0n).map(({ listing }) => listing)
    const deep = new Map([5, 17].map((i) => [i, BigInt(i)]))
    const { chain: own } = chain(listings.map((_, i) => deep.get(i) ?? 0n))
    const expected = [listings[5], listings[17], ...listings.slice(32)]
    expect(await limitRead(own, 5n, listings)).toEqual(expected)
  })

  it('asks nothing where a pair has few', async () => {
    const { chain: own, asked } = chain([])
    const listings = many(maxRead, () => 0n).map(({ listing }) => listing)
    expect(await limitRead(own, 5n, listings)).toEqual(listings)
    expect(asked).toEqual([])
  })
})
