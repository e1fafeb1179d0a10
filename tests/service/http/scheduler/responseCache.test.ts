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

it('makes one answer for one question at one block, also for those who ask meanwhile', async () => {
  const repeats = caching()
  const answer = counter()
  const asked = [repeats('a', '0x1', answer), repeats('a', '0x1', answer), repeats('b', '0x1', answer)]
  expect(await Promise.all(asked)).toEqual([1, 1, 2])
  expect(await repeats('a', '0x1', answer)).toBe(1)
})

it('forgets with the block', async () => {
  const repeats = caching()
  const answer = counter()
  expect(await repeats('a', '0x1', answer)).toBe(1)
  expect(await repeats('a', '0x2', answer)).toBe(2)
  expect(await repeats('a', '0x1', answer)).toBe(3)
})

it('keeps no failure', async () => {
  const repeats = caching()
  const failure = async () => Promise.reject(new Error('no route'))
  await expect(repeats('a', '0x1', failure)).rejects.toThrow('no route')
  expect(await repeats('a', '0x1', counter())).toBe(1)
})

it('keeps so many, and forgets the oldest first', async () => {
  const repeats = caching(undefined, 2)
  const answer = counter()
  for (const question of ['a', 'b', 'c']) await repeats(question, '0x1', answer)
  expect(await repeats('c', '0x1', answer)).toBe(3)
  expect(await repeats('b', '0x1', answer)).toBe(2)
  expect(await repeats('a', '0x1', answer)).toBe(4)
  expect(await repeats('b', '0x1', answer)).toBe(5)
})

it('keeps none where none may be', async () => {
  const repeats = caching(undefined, 0)
  const answer = counter()
  expect(await repeats('a', '0x1', answer)).toBe(1)
  expect(await repeats('a', '0x1', answer)).toBe(2)
})

it('gives what is to be forgotten to those who asked meanwhile, and to nobody else', async () => {
  const repeats = caching((answer) => answer > 1)
  const answer = counter()
  expect(await Promise.all([repeats('a', '0x1', answer), repeats('a', '0x1', answer)])).toEqual([1, 1])
  expect(await repeats('a', '0x1', answer)).toBe(2)
  expect(await repeats('a', '0x1', answer)).toBe(2)
})
