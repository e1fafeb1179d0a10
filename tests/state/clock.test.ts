import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../src/state/clock.ts'

const day = 24 * 60 * 60 * 1_000

afterEach(() => void vi.useRealTimers())

it('neither goes back nor jumps ahead when the system clock is set back', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { now } = systemClock()
  const before = now()
  vi.setSystemTime(Date.now() - day)
  const after = now()
  expect(after).toBeGreaterThanOrEqual(before)
  expect(after - before).toBeLessThan(60_000)
})

it('counts the time of a system sleep during which the monotonic clock stood still', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  const { now } = systemClock()
  const before = now()
  vi.setSystemTime(Date.now() + day)
  expect(now() - before).toBe(day)
  // Counted once; differences below 1 s are tolerated.
  vi.setSystemTime(Date.now() + 900)
  expect(now() - before).toBe(day)
  vi.advanceTimersByTime(5_000)
  expect(now() - before).toBe(day + 5_000)
})

describe('systemClock.after', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }))

  it.each([
    ['forward', day],
    ['back', -day],
  ])('runs the action after its delay when the system clock is set %s meanwhile', (_where, shift) => {
    let done = 0
    systemClock().after(1_000, () => done++)
    vi.setSystemTime(Date.now() + shift)
    vi.advanceTimersByTime(999)
    expect(done).toBe(0)
    vi.advanceTimersByTime(1)
    expect(done).toBe(1)
  })

  it('does not run a cancelled action', () => {
    let done = 0
    const callOff = systemClock().after(1_000, () => done++)
    callOff()
    vi.advanceTimersByTime(day)
    expect(done).toBe(0)
  })
})
