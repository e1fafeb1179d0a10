import { expect, it } from 'vitest'
import { WalletError } from '../../../src/errors.ts'
import { formatWait, secondsLeft } from '../../../src/ui/hooks/useCountdown.ts'

const waiting = (until: string) => new WalletError('too-many-tries', 'Too many.', { until })

it('returns the whole seconds until the next password attempt, and 0 for other errors', () => {
  expect(secondsLeft(waiting('10000'), 2_500)).toBe(8)
  expect(secondsLeft(waiting('10000'), 9_999)).toBe(1)
  expect(secondsLeft(waiting('10000'), 10_000)).toBe(0)
  expect(secondsLeft(waiting('soon'), 0)).toBe(0)
  expect(secondsLeft(new WalletError('wrong-password', 'Wrong.', { until: '10000' }), 0)).toBe(0)
  expect(secondsLeft(undefined, 0)).toBe(0)
})

it('limits the countdown to 300 seconds when the clock was set back', () => {
  expect(secondsLeft(waiting(String(10 ** 12)), 0)).toBe(300)
})

it('formats minutes and seconds', () => {
  expect([0, 7, 60, 299].map(formatWait)).toEqual(['0:00', '0:07', '1:00', '4:59'])
})
