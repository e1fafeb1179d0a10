import { expect, it } from 'vitest'
import { stopAfter } from '../../../service/routing/deadline.ts'

it('is due when the time is over, and knows whether anybody heard it', () => {
  const later = stopAfter(60_000)
  expect([later.isDue(), later.wasHeeded()]).toEqual([false, false])
  const now = stopAfter(0)
  expect(now.wasHeeded()).toBe(false)
  expect([now.isDue(), now.wasHeeded()]).toEqual([true, true])
})
