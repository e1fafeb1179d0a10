import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSynthetic } from '../../../bench/routing/synthetic.ts'
import { createTrades, toRouteLimits } from '../../../bench/routing/trades.ts'
import type { Address } from '../../../service/config.ts'
import type { Pool } from '../../../service/pools/pool.ts'
import type { PoolSnapshot } from '../../../service/pools/poolType.ts'
import { poolTypes, toPool } from '../../../service/pools/registry.ts'
import { findRoute } from '../../../service/routing/findRoute.ts'
import { createGraph, createPoolGraph } from '../../../service/routing/market.ts'
import { createPoolStore, type PoolStore } from '../../../service/snapshot/poolStore.ts'
import { createSharedStorage } from '../../../service/snapshot/sharedStorage.ts'
import type { PoolVersion } from '../../../service/snapshot/versionSlots.ts'
import { snapshots } from '../../helpers/service/randomSnapshots.ts'

function publish(store: PoolStore, pools: readonly PoolSnapshot[], isWhole = false): void {
  const draft = store.begin(isWhole)
  for (const pool of pools) draft.put(pool)
  draft.publish()
}

function contentOf(store: PoolStore, version: PoolVersion): Map<string, PoolSnapshot> {
  return new Map([...store.readAll(version)].map((pool) => [pool.listing.address, pool]))
}

/** Thrown where the mathematics of a pool of absurd balances does not converge. */
function attempt<Result>(work: () => Result): Result | string {
  try {
    return work()
  } catch (error) {
    return String(error)
  }
}

describe('createPoolStore', () => {
  it('returns every kind of pool unchanged, with the same quotes to the wei', () => {
    const amount = fc.bigInt({ min: 1n, max: 2n ** 100n })
    fc.assert(
      fc.property(snapshots(1), amount, (snapshot, sold) => {
        const { kind, fixed, tokens, address } = snapshot.listing
        expect(poolTypes[kind].isValid(tokens.length, fixed, snapshot.state)).toBe(true)
        const store = createPoolStore()
        publish(store, [snapshot])
        expect(store.read(address)).toEqual(snapshot)

        const storage = createSharedStorage(store.tables, store.slots)
        storage.open(store.version())
        const own = toPool(snapshot)
        for (const sell of tokens) {
          for (const buy of tokens) {
            if (sell === buy) continue
            const [shared] = storage.pair(sell, buy)!.pools() as [Pool]
            const quote = (pool: Pool) => attempt(() => pool.quote(sell, buy, sold))
            expect(quote(shared)).toEqual(quote(own))
          }
        }
      }),
      { numRuns: 400 },
    )
  })

  it('keeps pinned versions unchanged while later ones reuse the memory of others', () => {
    const some = fc.array(
      fc.integer({ min: 0, max: 11 }).chain((index) => snapshots(index)),
      { maxLength: 8 },
    )
    const step = fc.record({
      pools: some,
      isWhole: fc.boolean(),
      isDiscarded: fc.boolean(),
      pins: fc.boolean(),
      releases: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const store = createPoolStore()
        let model = new Map<string, PoolSnapshot>()
        const pinned: { version: PoolVersion; content: Map<string, PoolSnapshot> }[] = []
        for (const { pools, isWhole, isDiscarded, pins, releases } of steps) {
          if (pins) pinned.push({ version: store.pin(), content: new Map(model) })
          const draft = store.begin(isWhole)
          for (const pool of pools) draft.put(pool)
          if (isDiscarded) draft.discard()
          else {
            draft.publish()
            if (isWhole) model = new Map()
            for (const pool of pools) model.set(pool.listing.address, pool)
          }
          expect(contentOf(store, store.version())).toEqual(model)
          expect(store.version().size).toBe(model.size)
          for (const [address, pool] of model) expect(store.read(address as Address)).toEqual(pool)
          for (const { version, content } of pinned) expect(contentOf(store, version)).toEqual(content)
          if (releases && pinned.length > 0) store.release(pinned.shift()!.version)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('does not grow while pools change back and forth or are read anew', () => {
    const { standings } = createSynthetic(2_000)
    const store = createPoolStore()
    publish(store, standings)
    const changed = standings.slice(0, 200).map(halve)
    const round = () => {
      publish(store, changed)
      publish(store, standings, true)
    }
    for (let i = 0; i < 3; i++) round()
    const sizes = () => Object.values(store.tables).map(({ buffer }) => buffer.byteLength)
    const before = sizes()
    for (let i = 0; i < 30; i++) round()
    expect(sizes()).toEqual(before)
    expect(store.slots.length).toBe(2)
  })

  it('rejects a second version while one is written', () => {
    const store = createPoolStore()
    store.begin(true)
    expect(() => store.begin(true)).toThrow('being written')
  })
})

describe('createSharedStorage', () => {
  it('finds the routes of a graph in plain memory, block after block', () => {
    const { config, tokens, standings } = createSynthetic(1_500)
    const trusted = new Set(config.tokens.slice(0, 300).map(({ address }) => address))
    const store = createPoolStore()
    store.indexPrices(trusted)
    const storage = createSharedStorage(store.tables, store.slots, () => 400_000)
    const shared = createGraph(storage, trusted)
    const limits = toRouteLimits(config, 10n ** 10n)
    const draw = createTrades(tokens, limits, 50_000, 11)
    let pools = standings.slice(0, 1_200)
    for (let block = 0; block < 6; block++) {
      const changed = pools.filter((_, i) => i % 7 === block).map(halve)
      const added = standings.slice(1_200 + 50 * block, 1_250 + 50 * block)
      const isOrphaned = block === 4
      pools = [
        ...new Map([...pools, ...changed, ...added].map((pool) => [pool.listing.address, pool])).values(),
      ]
      if (isOrphaned) pools = pools.filter((_, i) => i % 10 !== 3)
      publish(store, block === 0 || isOrphaned ? pools : [...changed, ...added], block === 0 || isOrphaned)
      storage.open(store.version())
      const plain = createPoolGraph(trusted)
      for (const pool of pools) {
        plain.put(pool.listing.address, pool.listing.tokens, () => toPool(pool))
      }
      expect(shared.size()).toBe(plain.size())
      for (let i = 0; i < 25; i++) {
        const request = draw()
        storage.open(store.version())
        const [one, other] = [shared, plain].map((graph) => findRoute(graph, config, request))
        expect(other === undefined ? one : write(one)).toEqual(other === undefined ? undefined : write(other))
        expect(shared.trades(request.sell)).toBe(plain.trades(request.sell))
      }
    }
  })
})

function halve({ listing, state }: PoolSnapshot): PoolSnapshot {
  if (listing.kind === 'concentrated') {
    const now = state as { liquidity: bigint; sqrtPrice: bigint; ticks: { net: bigint }[] }
    const ticks = now.ticks.map((tick) => ({ ...tick, net: tick.net * 2n }))
    return { listing, state: { ...now, liquidity: now.liquidity * 2n, ticks } }
  }
  const { reserve0, reserve1 } = state as { reserve0: bigint; reserve1: bigint }
  return { listing, state: { reserve0: reserve0 / 2n, reserve1: reserve1 / 2n } }
}

function write(route: ReturnType<typeof findRoute>) {
  return {
    ...{ tokens: route?.tokens, returns: route?.returns, gas: route?.gas },
    edges: route?.edges.map(({ pool, ...edge }) => ({ pool: pool.address, ...edge })),
  }
}
