import { describe, expect, it } from 'vitest'
import { createSynthetic } from '../../../bench/routing/synthetic.ts'
import { createPoolStore } from '../../../service/snapshot/poolStore.ts'
import { createSharedStorage } from '../../../service/snapshot/sharedStorage.ts'

describe('createSharedStorage: decoded pools', () => {
  const { standings } = createSynthetic(2_000)
  const store = createPoolStore()
  const draft = store.begin(true)
  for (const pool of standings) draft.put(pool)
  draft.publish()
  const pairs = standings.map(({ listing }) => listing.tokens as [`0x${string}`, `0x${string}`])

  it('keeps at most the given bytes between searches, those used last', () => {
    const most = 200_000
    const storage = createSharedStorage(store.tables, store.slots, () => most)
    for (const [one, other] of pairs) {
      storage.open(store.version())
      expect(storage.decodedBytes()).toBeLessThanOrEqual(most)
      storage.pair(one, other)!.pools()
    }
    expect(storage.decodedBytes()).toBeGreaterThan(most / 2)

    const last = storage.pair(...pairs.at(-1)!)!.pools()
    storage.open(store.version())
    expect(storage.pair(...pairs.at(-1)!)!.pools()).toEqual(last)
    expect(storage.idOf(last[0]!)).toBeDefined()
  })

  it('keeps a pair that every search uses, and drops others', () => {
    const storage = createSharedStorage(store.tables, store.slots, () => 300_000)
    const used = pairs.at(-1)!
    storage.open(store.version())
    const pair = storage.pair(...used)!
    const pools = pair.pools()
    const early = storage.pair(...pairs.at(-2)!)!
    early.pools()
    for (const tokens of pairs.slice(0, -2)) {
      storage.open(store.version())
      storage.pair(...tokens)!.pools()
      expect(storage.pair(...used)).toBe(pair)
    }
    expect(storage.pair(...used)!.pools()[0]).toBe(pools[0])
    expect(storage.pair(...pairs.at(-2)!)).not.toBe(early)
  })

  it('drops nothing during a search', () => {
    const storage = createSharedStorage(store.tables, store.slots, () => 1)
    storage.open(store.version())
    const all = pairs.slice(0, 300).map((tokens) => storage.pair(...tokens)!.pools())
    pairs.slice(0, 300).forEach((tokens, i) => {
      const again = storage.pair(...tokens)!.pools()
      expect(again.every((pool, j) => pool === all[i]![j])).toBe(true)
    })
    storage.open(store.version())
    expect(storage.decodedBytes()).toBe(0)
  })
})
