import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSynthetic } from '../../../bench/routing/synthetic.ts'
import type { Address } from '../../../service/config.ts'
import type { PoolSnapshot } from '../../../service/pools/poolType.ts'
import { toPool } from '../../../service/pools/registry.ts'
import { createPriceBook, type PriceIndex } from '../../../service/routing/priceIndex.ts'
import { createPoolStore, type PoolStore } from '../../../service/snapshot/poolStore.ts'
import { createPriceReader } from '../../../service/snapshot/priceReader.ts'
import type { PoolVersion } from '../../../service/snapshot/versionSlots.ts'
import { snapshots } from '../../helpers/service/randomSnapshots.ts'

function publish(store: PoolStore, pools: readonly PoolSnapshot[], isWhole = false): void {
  const draft = store.begin(isWhole)
  for (const pool of pools) draft.put(pool)
  draft.publish()
}

const nowhere: Address = `0x${'9'.repeat(40)}`

/** Every entry in words, in an order that does not depend on that of pools. */
function write(index: PriceIndex): string[] {
  const { tokens, first, other, pool, source, sources } = index
  return tokens
    .flatMap((token, place) => {
      const entries = Array.from(other.subarray(first[place], first[place + 1]), (_, i) => first[place]! + i)
      return entries.map((entry) => {
        const prices = [
          ...[index.sellStart, index.sellDepth, index.sellRounding],
          ...[index.buyStart, index.buyDepth, index.buyRounding],
        ]
        const facts = [token, tokens[other[entry]!], sources[source[pool[entry]!]!]]
        return [...facts, ...prices.map((price) => price[entry])].join(' ')
      })
    })
    .sort()
}

function scratch(trusted: ReadonlySet<Address>, pools: Iterable<PoolSnapshot>): PriceIndex {
  const book = createPriceBook(trusted)
  for (const pool of pools) book.put(pool.listing.address, pool.listing.tokens, () => toPool(pool))
  return book.index()
}

function readIndex(store: PoolStore, trusted: ReadonlySet<Address>, version: PoolVersion): PriceIndex {
  return createPriceReader(store.tables, store.slots, trusted).read(version).index
}

describe('createPriceWriter', () => {
  it('equals an index made from scratch, in pinned versions too, whatever changes, joins and leaves', () => {
    const some = fc.array(
      fc.integer({ min: 0, max: 30 }).chain((index) => snapshots(index)),
      { maxLength: 8 },
    )
    const step = fc.record({
      pools: some,
      isWhole: fc.boolean(),
      isDiscarded: fc.boolean(),
      pins: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), fc.nat(), (steps, seed) => {
        const held = [
          ...new Set(steps.flatMap(({ pools }) => pools.flatMap(({ listing }) => listing.tokens))),
        ]
        const trusted = new Set(held.filter((_, i) => (i + seed) % 5 !== 0))
        const store = createPoolStore()
        store.indexPrices(trusted)
        let model = new Map<string, PoolSnapshot>()
        const pinned: { version: PoolVersion; index: string[] }[] = []
        for (const { pools, isWhole, isDiscarded, pins } of steps) {
          const draft = store.begin(isWhole)
          for (const pool of pools) draft.put(pool)
          if (isDiscarded) draft.discard()
          else {
            draft.publish()
            if (isWhole) model = new Map()
            for (const pool of pools) model.set(pool.listing.address, pool)
          }
          const expected = write(scratch(trusted, model.values()))
          expect(write(readIndex(store, trusted, store.version()))).toEqual(expected)
          if (pins) pinned.push({ version: store.pin(), index: expected })
          for (const { version, index } of pinned)
            expect(write(readIndex(store, trusted, version))).toEqual(index)
          if (pinned.length > 3) store.release(pinned.shift()!.version)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('equals an index made from scratch after thousands of changes of a synthetic market', () => {
    const { config, standings } = createSynthetic(1_500)
    const trusted = new Set(config.tokens.slice(0, 200).map(({ address }) => address))
    const store = createPoolStore()
    publish(store, standings.slice(0, 700))
    // Pools that are there already are indexed too.
    store.indexPrices(trusted)
    const model = new Map(standings.slice(0, 700).map((pool) => [pool.listing.address, pool]))
    for (let block = 0; block < 25; block++) {
      const changed = standings.slice(0, 700).filter((_, i) => i % 5 === block % 5)
      const pools = [
        ...changed.map((pool) => scale(pool, block + 2)),
        ...standings.slice(700 + 30 * block, 730 + 30 * block),
      ]
      const isWhole = block % 8 === 7
      if (isWhole) model.clear()
      for (const pool of pools) model.set(pool.listing.address, pool)
      publish(store, pools, isWhole)
      const index = readIndex(store, trusted, store.version())
      expect(write(index)).toEqual(write(scratch(trusted, model.values())))
      expect(index.other.length).toBeGreaterThan(40)
    }
  })

  it('finds pools by address', () => {
    const { config, standings } = createSynthetic(300)
    const trusted = new Set(config.tokens.map(({ address }) => address))
    const store = createPoolStore()
    store.indexPrices(trusted)
    publish(store, standings)
    const index = readIndex(store, trusted, store.version())
    const wanted = standings.filter((_, i) => i % 50 === 0)
    const places = index.poolsAt(new Set([...wanted.map(({ listing }) => listing.address), nowhere]))
    expect(places).toHaveLength(wanted.length)
    wanted.forEach(({ listing }, i) => {
      const entry = index.pool.indexOf(places[i]!)
      expect(listing.tokens).toContain(index.tokens[index.other[entry]!])
      expect(index.sources[index.source[places[i]!]!]).toBe(listing.source)
    })
  })

  it('throws for an index of other tokens', () => {
    const { config } = createSynthetic(50)
    const [one, ...rest] = config.tokens.map(({ address }) => address)
    const store = createPoolStore()
    store.indexPrices(new Set(rest))
    store.indexPrices(new Set(rest))
    expect(() => store.indexPrices(new Set([one!, ...rest]))).toThrow('of other tokens')
    expect(() => readIndex(store, new Set([one!, ...rest]), store.version())).toThrow('no price index')
  })

  it('shows another thread one version or another, never a mix', async () => {
    const { config, standings } = createSynthetic(200)
    const trusted = new Set(config.tokens.map(({ address }) => address))
    const store = createPoolStore()
    store.indexPrices(trusted)
    const pools = standings.filter(({ listing }) => listing.kind === 'constant-product')
    const equal = (factor: number) =>
      pools.map((pool) => scale({ ...pool, state: { reserve0: 1_000n, reserve1: 1_000n } }, factor))
    publish(store, equal(1))
    // Sums depths of a pinned version again and again while later ones are written.
    const worker = new Worker(
      `const { parentPort } = require('node:worker_threads')
       parentPort.on('message', ({ id, buffer, entries }) => {
         const depths = new Float64Array(buffer, 24 + 8 * entries, entries)
         const seen = new Set()
         for (let round = 0; round < 400; round++) for (const depth of depths) seen.add(depth)
         parentPort.postMessage({ id, seen: [...seen] })
       })`,
      { eval: true },
    )
    const expected = new Map<number, number>()
    const seen = new Map<number, number[]>()
    const pins = new Map<number, PoolVersion>()
    worker.on('message', (told: { id: number; seen: number[] }) => {
      seen.set(told.id, told.seen)
      store.release(pins.get(told.id)!)
    })
    for (let block = 2; block < 200; block++) {
      publish(store, equal(block))
      const version = store.pin()
      const { entries, buffer } = {
        entries: readIndex(store, trusted, version).other.length,
        buffer: store.slots[version.slot]!.prices.buffer,
      }
      expected.set(version.id, 1_000 * block)
      pins.set(version.id, version)
      worker.postMessage({ id: version.id, buffer, entries })
      if (block % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await expect.poll(() => seen.size, { timeout: 60_000 }).toBe(expected.size)
    await worker.terminate()
    for (const [id, depth] of expected) expect(seen.get(id)).toEqual([depth])
  })
})

function scale({ listing, state }: PoolSnapshot, factor: number): PoolSnapshot {
  if (listing.kind === 'concentrated') {
    const now = state as { liquidity: bigint; ticks: { net: bigint }[] }
    const ticks = now.ticks.map((tick) => ({ ...tick, net: tick.net * BigInt(factor) }))
    return { listing, state: { ...now, liquidity: now.liquidity * BigInt(factor), ticks } }
  }
  const { reserve0, reserve1 } = state as { reserve0: bigint; reserve1: bigint }
  return { listing, state: { reserve0: reserve0 * BigInt(factor), reserve1: reserve1 * BigInt(factor) } }
}
