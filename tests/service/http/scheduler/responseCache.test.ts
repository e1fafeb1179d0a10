import { expect, it } from 'vitest'
import { shareRuns } from '../../../../service/http/scheduler/requestScheduler.ts'
import { createResponseCache } from '../../../../service/http/scheduler/responseCache.ts'

/** The cache before single-flight, as in the scheduler. */
function caching(isKept?: (answer: number) => boolean, most?: number) {
  const cache = createResponseCache<number>(isKept, most)
  const share = shareRuns<number>()
  return (question: string, block: string, answer: () => Promise<number>) => {
    const { signal } = new AbortController()
    const job = { question, block, asker: [], signal, begin: () => undefined }
    return cache(job, (job) => share(job, answer))
  }
}

function counter() {
  let times = 0
  return async () => ++times
}

it('computes one response per request and block, also for concurrent requests', async () => {
  const repeats = caching()
  const answer = counter()
  const asked = [repeats('a', '0x1', answer), repeats('a', '0x1', answer), repeats('b', '0x1', answer)]
  expect(await Promise.all(asked)).toEqual([1, 1, 2])
  expect(await repeats('a', '0x1', answer)).toBe(1)
})

it('drops its responses when the block changes', async () => {
  const repeats = caching()
  const answer = counter()
  expect(await repeats('a', '0x1', answer)).toBe(1)
  expect(await repeats('a', '0x2', answer)).toBe(2)
  expect(await repeats('a', '0x1', answer)).toBe(3)
})

it('does not cache a failure', async () => {
  const repeats = caching()
  const failure = async () => Promise.reject(new Error('no route'))
  await expect(repeats('a', '0x1', failure)).rejects.toThrow('no route')
  expect(await repeats('a', '0x1', counter())).toBe(1)
})

it('keeps a limited number of responses and evicts the oldest first', async () => {
  const repeats = caching(undefined, 2)
  const answer = counter()
  for (const question of ['a', 'b', 'c']) await repeats(question, '0x1', answer)
  expect(await repeats('c', '0x1', answer)).toBe(3)
  expect(await repeats('b', '0x1', answer)).toBe(2)
  expect(await repeats('a', '0x1', answer)).toBe(4)
  expect(await repeats('b', '0x1', answer)).toBe(5)
})

it('caches nothing with a limit of zero', async () => {
  const repeats = caching(undefined, 0)
  const answer = counter()
  expect(await repeats('a', '0x1', answer)).toBe(1)
  expect(await repeats('a', '0x1', answer)).toBe(2)
})

it('shares an uncacheable response with concurrent requests only', async () => {
  const repeats = caching((answer) => answer > 1)
  const answer = counter()
  expect(await Promise.all([repeats('a', '0x1', answer), repeats('a', '0x1', answer)])).toEqual([1, 1])
  expect(await repeats('a', '0x1', answer)).toBe(2)
  expect(await repeats('a', '0x1', answer)).toBe(2)
})
