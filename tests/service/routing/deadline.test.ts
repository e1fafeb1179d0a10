import { expect, it } from 'vitest'
import { createDeadline } from '../../../service/swap/quote.ts'

it('is due when the time is over, and knows whether anybody heard it', () => {
  const later = createDeadline(60_000)
  expect([later.isDue(), later.wasHeeded()]).toEqual([false, false])
  const now = createDeadline(0)
  expect(now.wasHeeded()).toBe(false)
  expect([now.isDue(), now.wasHeeded()]).toEqual([true, true])
})
