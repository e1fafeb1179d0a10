import { describe, expect, it } from 'vitest'
import { formatChange } from '../../../src/ui/swap/quote/RouteContent.tsx'
import { usdc } from '../../helpers/state/fakes.ts'

describe('formatChange', () => {
  it.each([
    [3_000_000_000n, 2_996_390_000n, '3.61 USDC less (−0.12%)'],
    [3_000_000_000n, 3_030_000_000n, '30 USDC more (+1%)'],
    [3_000_000_000n, 2_999_999_999n, '0.000001 USDC less (<0.01%)'],
    [5n, 5n, 'Price unchanged'],
    [0n, 5n, 'Price unchanged'],
  ])('formats the change from %s to %s as %s', (before, now, said) => {
    expect(formatChange(before, now, usdc)).toBe(said)
  })
})
