import { describe, expect, it } from 'vitest'
import { formatAgo, formatSecondsAgo } from '../../../src/ui/format/relativeTime.ts'

describe('formatAgo', () => {
  it.each([
    [0, '0 minutes ago'],
    [119_999, '1 minute ago'],
    [3_600_000, '1 hour ago'],
    [86_399_999, '23 hours ago'],
    [86_400_000 * 40, '40 days ago'],
  ])('formats %s milliseconds as %j', (ms, words) => {
    expect(formatAgo(ms)).toBe(words)
  })
})

it.each([
  [0, '0 seconds ago'],
  [-5_000, '0 seconds ago'],
  [59_000, '59 seconds ago'],
  [60_000, '1 minute ago'],
  [3 * 3_600_000 + 5, '3 hours ago'],
  [49 * 3_600_000, '2 days ago'],
])('formats %i ms ago in seconds, minutes, hours or days', (ms, words) => {
  expect(formatSecondsAgo(ms)).toBe(words)
})
