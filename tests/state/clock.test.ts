import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../src/state/clock.ts'

const day = 24 * 60 * 60 * 1_000

afterEach(() => void vi.useRealTimers())

it.each([
  ['forward', day],
  ['back', -day],
])('ages nothing, and makes nothing young, when the machine’s clock is set %s', (_where, shift) => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { now } = systemClock()
  const before = now()
  vi.setSystemTime(Date.now() + shift)
  const after = now()
  expect(after).toBeGreaterThanOrEqual(before)
  expect(after - before).toBeLessThan(60_000)
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
