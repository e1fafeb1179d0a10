import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../src/state/clock.ts'

const day = 24 * 60 * 60 * 1_000

afterEach(() => void vi.useRealTimers())

it('makes nothing young when the machine’s clock is set back, and ages nothing', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { now } = systemClock()
  const before = now()
  vi.setSystemTime(Date.now() - day)
  const after = now()
  expect(after).toBeGreaterThanOrEqual(before)
  expect(after - before).toBeLessThan(60_000)
})

it('counts the time that a machine slept, for which the clock of its browser stood still', () => {
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

describe('what is to be done later', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }))

  it.each([
    ['forward', day],
    ['back', -day],
  ])('is done when its time passed, with the machine’s clock set %s meanwhile', (_where, shift) => {
    let done = 0
    systemClock().after(1_000, () => done++)
    vi.setSystemTime(Date.now() + shift)
    vi.advanceTimersByTime(999)
    expect(done).toBe(0)
    vi.advanceTimersByTime(1)
    expect(done).toBe(1)
  })

  it('is not done when it was called off', () => {
    let done = 0
    const callOff = systemClock().after(1_000, () => done++)
    callOff()
    vi.advanceTimersByTime(day)
    expect(done).toBe(0)
  })
})
