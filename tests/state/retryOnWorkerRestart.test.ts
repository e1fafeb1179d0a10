import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { WalletError } from '../../src/errors.ts'
import { systemClock } from '../../src/state/clock.ts'
import { retryOnWorkerRestart } from '../../src/state/retryOnWorkerRestart.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const stopped = new WalletError('worker-stopped', 'Stopped.')

function asked(fails: (count: number) => WalletError | undefined, isWanted?: () => boolean) {
  let count = 0
  const answer = retryOnWorkerRestart(
    systemClock(),
    async () => {
      count += 1
      const error = fails(count)
      if (error !== undefined) throw error
      return count
    },
    isWanted,
  )
  const outcome = answer.catch((error: unknown) => error)
  return { outcome, count: () => count }
}

it('retries after the worker stopped, with five attempts in all', async () => {
  const back = asked((count) => (count < 5 ? stopped : undefined))
  const gone = asked(() => stopped)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await back.outcome).toBe(5)
  expect(await gone.outcome).toBe(stopped)
  expect(gone.count()).toBe(5)
})

it('does not retry after any other error', async () => {
  const refused = new WalletError('no-route', 'No route.')
  const { outcome, count } = asked(() => refused)
  expect(await outcome).toBe(refused)
  expect(count()).toBe(1)
})

it('does not retry when the result is no longer wanted', async () => {
  const { outcome, count } = asked(
    () => stopped,
    () => false,
  )
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await outcome).toBe(stopped)
  expect(count()).toBe(1)
})
