import { describe, expect, it } from 'vitest'
import { createSnapshotStore } from '../../src/background/snapshots.ts'
import type { Address } from '../../src/domain/token/token.ts'
import { memoryArea } from '../helpers/background/memoryArea.ts'

const one: Address = '0x1111111111111111111111111111111111111111'
const other: Address = '0x2222222222222222222222222222222222222222'
const hour = 3_600_000

function start(items = new Map<string, string>()) {
  const clock = { now: 1_000 * hour }
  const area = memoryArea(items)
  return { clock, area, store: createSnapshotStore(area, () => clock.now) }
}

describe('createSnapshotStore', () => {
  it('stores a total per hour and account, also across restarts', async () => {
    const { clock, area, store } = start()
    await store.add(one, 5n, [1])
    clock.now += hour / 2
    await store.add(one, 6n, [1])
    clock.now += hour
    expect((await store.add(one, 2n ** 200n, [1, 10])).map(({ usd }) => usd)).toEqual([6n, 2n ** 200n])
    expect(await createSnapshotStore(area, Date.now).list(one)).toEqual([
      { at: 1_000.5 * hour, usd: 6n, chains: [1] },
      { at: 1_001.5 * hour, usd: 2n ** 200n, chains: [1, 10] },
    ])
    expect(await store.list(other)).toEqual([])
  })

  it('keeps the last total of an hour', async () => {
    const { store } = start()
    await store.add(one, 5n, [1])
    await store.add(one, 7n, [1])
    expect((await store.list(one)).map(({ usd }) => usd)).toEqual([7n])
  })

  it.each([
    'not json',
    '{"a":1}',
    '[{"at":-1,"usd":{"#bigint":"1"},"chains":[1]}]',
    '[{"at":1,"usd":1,"chains":[1]}]',
  ])('counts an unreadable record as empty: %s', async (record) => {
    const { store } = start(new Map([[`snapshots.${one}`, JSON.stringify(record)]]))
    expect(await store.list(one)).toEqual([])
    expect(await store.add(one, 3n, [1])).toHaveLength(1)
  })

  it('deletes the snapshots of removed accounts, and nothing else', async () => {
    const { area, store } = start(new Map([['settings', '{}']]))
    await store.add(one, 5n, [1])
    await store.add(other, 5n, [1])
    await store.keepOnly([other])
    expect([...area.items.keys()].sort()).toEqual(['settings', `snapshots.${other}`])
  })
})
