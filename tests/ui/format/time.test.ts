import { describe, expect, it } from 'vitest'
import { formatUntil, formatWhen } from '../../../src/ui/format/time.ts'

describe('formatUntil', () => {
  it.each([
    [-1n, 'Expired'],
    [0n, 'Expired'],
    [59n, 'Less than a minute'],
    [60n, '1 minute'],
    [30n * 60n, '30 minutes'],
    [86_399n, '23 hours'],
    [86_400n, '1 day'],
    [365n * 86_400n, '1 year'],
    [2n ** 48n - 1n - 1_000n, 'No expiration'],
    [2n ** 256n - 1n - 1_000n, 'No expiration'],
  ])('formats %s remaining seconds as %j', (left, words) => {
    expect(formatUntil(1_000n + left, 1_000_500)).toBe(words)
  })
})

describe('formatWhen', () => {
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour, 5).getTime()

  it('shows the time for today and the date otherwise', () => {
    expect(formatWhen(at(22, 9), at(22, 23)).replace(/\s/g, ' ')).toBe('9:05 AM')
    expect(formatWhen(at(21, 23), at(22, 0))).toBe('Nov 21')
  })
})
