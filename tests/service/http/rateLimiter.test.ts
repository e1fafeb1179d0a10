import { expect, it } from 'vitest'
import { createRateLimiter } from '../../../service/http/rateLimiter.ts'

function start(rate: { perSecond: number; burst: number }, most?: number) {
  let ms = 0
  const limiter = createRateLimiter(rate, { now: () => ms, ...(most === undefined ? {} : { most }) })
  return {
    take: (...names: string[]) => limiter.take(names),
    look: (...names: string[]) => limiter.take(names, 0),
    wait(more: number) {
      ms += more
    },
  }
}

it('allows a burst and returns the wait until the next request', async () => {
  const { take, wait } = start({ perSecond: 2, burst: 3 })
  expect([await take('a'), await take('a'), await take('a')]).toEqual([undefined, undefined, undefined])
  expect(await take('a')).toBe(500)
  wait(200)
  expect(await take('a')).toBeCloseTo(300)
  wait(300)
  expect(await take('a')).toBeUndefined()
  expect(await take('a')).toBe(500)
})

it('counts each client separately', async () => {
  const { take } = start({ perSecond: 1, burst: 1 })
  expect(await take('a')).toBeUndefined()
  expect(await take('b')).toBeUndefined()
  expect(await take('a')).toBe(1_000)
})

it('saves up no more than one burst', async () => {
  const { take, wait } = start({ perSecond: 10, burst: 2 })
  wait(3_600_000)
  const asked = await Promise.all(Array.from({ length: 5 }, () => take('a')))
  expect(asked.filter((waitMs) => waitMs === undefined)).toHaveLength(2)
})

it('keeps to its rate under constant requests', async () => {
  const { take, wait } = start({ perSecond: 5, burst: 5 })
  let allowed = 0
  for (let i = 0; i < 10_000; i++) {
    if ((await take('a')) === undefined) allowed++
    wait(1)
  }
  expect(allowed).toBeGreaterThanOrEqual(54)
  expect(allowed).toBeLessThanOrEqual(55)
})

it('keeps a bounded number of clients and evicts the least recent first', async () => {
  const { take } = start({ perSecond: 0.001, burst: 1 }, 3)
  for (const asker of ['a', 'b', 'c']) await take(asker)
  expect(await take('a')).toBeGreaterThan(0)
  await take('d')
  expect(await take('a')).toBeGreaterThan(0)
  expect(await take('b')).toBeUndefined()
})

it('allows a wider network four times as much as the next narrower one', async () => {
  const { take } = start({ perSecond: 1, burst: 2 })
  const allowed: string[] = []
  for (let i = 0; i < 64; i++) {
    const name = `/64 ${i}`
    if ((await take(name, `/56 ${i >> 2}`, '/48')) === undefined) allowed.push(name)
  }
  expect(allowed).toHaveLength(32)
})

it('charges a wide network nothing when a narrow one rejects the request', async () => {
  const { take } = start({ perSecond: 1, burst: 1 })
  expect(await take('a', 'wide')).toBeUndefined()
  for (let i = 0; i < 100; i++) expect(await take('a', 'wide')).toBe(1_000)
  for (const name of ['b', 'c', 'd']) expect(await take(name, 'wide')).toBeUndefined()
  expect(await take('e', 'wide')).toBe(250)
})

it('charges nothing for a check at cost 0', async () => {
  const { take, look } = start({ perSecond: 1, burst: 1 })
  for (let i = 0; i < 5; i++) expect(await look('a')).toBeUndefined()
  expect(await take('a')).toBeUndefined()
  expect(await look('a')).toBe(1_000)
})
