import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CallId,
  createCallIds,
  hashCalls,
  requesterKey,
} from '../../../../src/background/dapp/methods/callIds.ts'
import { memoryArea } from '../../../helpers/background/memoryArea.ts'

const origin = 'https://a.example'
const day = 24 * 60 * 60 * 1_000

function record(changes: Partial<CallId> = {}): CallId {
  const asked = hashCalls({ calls: [1n] })
  return {
    origin,
    id: 'one',
    kind: 'calls',
    chainId: 1,
    at: 0,
    asked,
    asker: 'DOC 1',
    state: 'open',
    ...changes,
  }
}

describe('createCallIds', () => {
  it('keeps an id for its first claim, also after a restart', async () => {
    const area = memoryArea()
    const ids = createCallIds(area, () => 1)
    const claims = [record(), record({ asker: 'DOC 2' })].map((each) => ids.claim(each))
    expect(await Promise.all(claims)).toEqual([record(), record()])
    expect(await createCallIds(area, () => 1).claim(record({ asker: 'DOC 3' }))).toEqual(record())
    expect(await ids.get(origin, 'one')).toEqual(record())
  })

  it('finds an id only under its own origin, for random strings', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), fc.string(), fc.string(), async (a, b, c, d) => {
        fc.pre(a !== c || b !== d)
        const ids = createCallIds(memoryArea(), () => 1)
        await ids.put(record({ origin: a, id: b }))
        expect(await ids.get(c, d)).toBeUndefined()
        expect(await ids.get(a, b)).toMatchObject({ origin: a, id: b })
      }),
    )
  })

  it('stores the state of an id and removes an id', async () => {
    const ids = createCallIds(memoryArea(), () => 1)
    await ids.claim(record())
    await ids.put(record({ state: 'sent', intentId: 'ab' }))
    expect(await ids.get(origin, 'one')).toMatchObject({ state: 'sent', intentId: 'ab' })
    await ids.remove(origin, 'one')
    expect(await ids.get(origin, 'one')).toBeUndefined()
  })

  it('forgets an id after a day', async () => {
    let now = 0
    const ids = createCallIds(memoryArea(), () => now)
    await ids.claim(record())
    now = day - 1
    expect(await ids.get(origin, 'one')).toBeDefined()
    now = day
    expect(await ids.get(origin, 'one')).toBeUndefined()
    expect(await ids.claim(record({ at: now, asker: 'DOC 9' }))).toMatchObject({ asker: 'DOC 9' })
  })

  it('keeps the newest thousand ids, at most fifty per origin, in less than 500 kB', async () => {
    const area = memoryArea()
    const ids = createCallIds(area, () => 2_000)
    const name = (at: number) => `${'x'.repeat(4_000)}${at}`
    const site = (at: number) => `https://${Math.ceil(at / 50)}.example`
    for (let at = 1; at <= 1_002; at++) await ids.claim(record({ origin: site(at), id: name(at), at }))
    expect(area.items.size).toBe(1_000)
    const kept = await Promise.all([1, 2, 3, 1_002].map((at) => ids.get(site(at), name(at))))
    expect(kept.map((each) => each?.at)).toEqual([undefined, undefined, 3, 1_002])
    expect([...area.items.values()].join('').length).toBeLessThan(500_000)

    for (let at = 1_003; at <= 1_100; at++) await ids.claim(record({ origin: site(1_002), id: name(at), at }))
    expect((await ids.get(site(100), name(100)))?.at).toBe(100)
    const own = await Promise.all([1_002, 1_050, 1_051, 1_100].map((at) => ids.get(site(1_002), name(at))))
    expect(own.map((each) => each?.at)).toEqual([undefined, undefined, 1_051, 1_100])
  })

  it('writes one small record per claim', async () => {
    const area = memoryArea()
    const ids = createCallIds(area, () => 1)
    for (let at = 0; at < 40; at++) await ids.claim(record({ id: `${at}`, at: 1 }))
    const sizes: number[] = []
    const { set } = area
    area.set = (items) => {
      sizes.push(JSON.stringify(items).length)
      return set(items)
    }
    await ids.claim(record({ id: 'one more', at: 1 }))
    expect(sizes).toHaveLength(1)
    expect(sizes[0]).toBeLessThan(1_000)
  })

  it('ignores a damaged record and accepts a new claim', async () => {
    const area = memoryArea()
    await createCallIds(area, () => 1).claim(record())
    const [key = ''] = area.items.keys()
    await area.set({ [key]: { origin } })
    const ids = createCallIds(area, () => 1)
    expect(await ids.get(origin, 'one')).toBeUndefined()
    await ids.claim(record())
    expect(await createCallIds(area, () => 1).get(origin, 'one')).toEqual(record())
  })
})

describe('requesterKey', () => {
  it('distinguishes requests of one document', () => {
    const asker = { origin, documentId: 'DOC', tabId: 1, requestId: 1 }
    expect(requesterKey(asker)).not.toBe(requesterKey({ ...asker, requestId: 2 }))
    expect(requesterKey(asker)).toBe(requesterKey({ ...asker }))
  })
})
