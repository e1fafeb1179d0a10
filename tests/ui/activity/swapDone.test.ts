import { expect, it } from 'vitest'
import { formatKept } from '../../../src/ui/activity/done/SwapDone.tsx'

it('states the distance to the guaranteed minimum in percent, without sign or money', () => {
  expect(formatKept({ moreBps: 50 })).toBe('0.5% more than the guaranteed minimum')
})

it('states no distance that would be shown as zero', () => {
  expect(formatKept({ moreBps: 0.4 })).toBe('Received the guaranteed minimum')
  expect(formatKept({ moreBps: 0 })).toBe('Received the guaranteed minimum')
})
