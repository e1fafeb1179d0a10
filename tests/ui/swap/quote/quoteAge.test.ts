import { describe, expect, it } from 'vitest'
import { formatQuoteAge, stalenessTone } from '../../../../src/ui/swap/quote/quoteAge.ts'

describe('quote age', () => {
  it('stalenessTone is amber at five seconds left and red at three', () => {
    expect([12, 6, 5, 4, 3, 0].map(stalenessTone)).toEqual([
      'fresh',
      'fresh',
      'ending',
      'ending',
      'over',
      'over',
    ])
  })

  it('formatQuoteAge shows the age from ten seconds on', () => {
    expect([0, 9, 10, 47].map(formatQuoteAge)).toEqual(['', '', '10s ago', '47s ago'])
  })
})
