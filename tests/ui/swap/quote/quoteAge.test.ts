import { describe, expect, it } from 'vitest'
import { formatQuoteAge, stalenessTone } from '../../../../src/ui/swap/quote/quoteAge.ts'

describe('the ring around a price', () => {
  it('has the colour of the seconds that it counts: amber from 5 on, red from 3', () => {
    expect([12, 6, 5, 4, 3, 0].map(stalenessTone)).toEqual([
      'fresh',
      'fresh',
      'ending',
      'ending',
      'over',
      'over',
    ])
  })

  it('says how old the price is from ten seconds on', () => {
    expect([0, 9, 10, 47].map(formatQuoteAge)).toEqual(['', '', '10s ago', '47s ago'])
  })
})
