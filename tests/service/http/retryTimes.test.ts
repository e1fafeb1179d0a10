import { expect, it } from 'vitest'
import { createRetryTimes } from '../../../service/http/retryTimes.ts'

function start(most?: number) {
  let ms = 0
  const times = createRetryTimes({ now: () => ms, ...(most === undefined ? {} : { most }) })
  return {
    refuse: (client: string, waitMs = 1_000) => times.afterRefusal([client, 'wide'], waitMs),
    wait(more: number) {
      ms += more
    },
  }
}

it('grows with each refusal of the same client alone', () => {
  const { refuse } = start()
  expect([refuse('a'), refuse('a'), refuse('a', 2_500)]).toEqual([1_000, 2_000, 7_500])
  expect(refuse('b')).toBe(1_000)
})

it('is at most a minute, or the given wait', () => {
  const { refuse } = start()
  for (let i = 0; i < 500; i++) refuse('a')
  expect(refuse('a')).toBe(60_000)
  expect(refuse('a', 90_000)).toBe(90_000)
})

it('counts refusals half after ten seconds', () => {
  const { refuse, wait } = start()
  for (let i = 0; i < 8; i++) refuse('a')
  wait(10_000)
  expect(refuse('a')).toBe(5_000)
  wait(600_000)
  expect(refuse('a')).toBeCloseTo(1_000, 0)
})

it('keeps a bounded number of clients and forgets the least recent first', () => {
  const { refuse } = start(2)
  for (const client of ['a', 'b', 'a', 'c']) refuse(client)
  expect(refuse('a')).toBe(3_000)
  expect(refuse('b')).toBe(1_000)
})
