import { expect, it } from 'vitest'
import { createDeadline } from '../../../service/swap/quote.ts'

it('is due when its time is over, and records whether a caller saw that', () => {
  const later = createDeadline(60_000)
  expect([later.isDue(), later.wasHeeded()]).toEqual([false, false])
  const now = createDeadline(0)
  expect(now.wasHeeded()).toBe(false)
  expect([now.isDue(), now.wasHeeded()]).toEqual([true, true])
})
