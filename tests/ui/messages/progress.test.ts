import { describe, expect, it } from 'vitest'
import { formatElapsed, formatUsual, progressTitle } from '../../../src/ui/messages/progress.ts'

describe('progress texts', () => {
  it('names each part', () => {
    const kinds = ['reset', 'approve', 'sign', 'swap', 'wrap'] as const
    expect(kinds.map((kind) => progressTitle(kind, 'DAI', 'USDC'))).toEqual([
      'Resetting the DAI allowance',
      'Approving DAI',
      'Signing for DAI',
      'Swapping DAI → USDC',
      'Converting DAI → USDC',
    ])
  })

  it('rounds usual times up, to at least the time between two looks', () => {
    expect([12_000, 250, 2_100, 130_000].map((ms) => formatUsual(ms, 'en'))).toEqual([
      '12 sec',
      '2 sec',
      '3 sec',
      '3 min',
    ])
  })

  it('formats elapsed times with two-digit seconds', () => {
    expect([-5, 7_900, 65_000, 3_723_000].map(formatElapsed)).toEqual(['0:00', '0:07', '1:05', '1:02:03'])
  })
})
