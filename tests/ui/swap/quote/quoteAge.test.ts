import { describe, expect, it } from 'vitest'
import { formatQuoteAge } from '../../../../src/ui/swap/quote/quoteAge.ts'

describe('quote age', () => {
  it('formatQuoteAge shows the age from ten seconds on', () => {
    expect([0, 9, 10, 47].map(formatQuoteAge)).toEqual(['', '', '10s ago', '47s ago'])
  })
})
