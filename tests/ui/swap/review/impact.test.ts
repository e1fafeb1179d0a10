import { describe, expect, it } from 'vitest'
import { toImpactView } from '../../../../src/ui/swap/review/impact.ts'

describe('the price impact', () => {
  it('is a number alone below one percent', () => {
    expect(toImpactView(99)).toEqual({ tone: 'plain', value: '0.99%' })
    expect(toImpactView(0)).toEqual({ tone: 'plain', value: '<0.01%' })
    expect(toImpactView(-40)).toEqual({ tone: 'plain', value: '<0.01%' })
  })

  it('is ticked where nobody knows it', () => {
    expect(toImpactView(undefined)).toEqual({ tone: 'plain', value: 'Unknown', needs: 'tick' })
  })

  it('is noted at 1 percent, warned of at 3, ticked at 5 and confirmed by the amount at 15', () => {
    const of = (bps: number) => [toImpactView(bps).tone, toImpactView(bps).needs]
    expect(of(100)).toEqual(['note', undefined])
    expect(of(299)).toEqual(['note', undefined])
    expect(of(300)).toEqual(['warn', undefined])
    expect(of(499)).toEqual(['warn', undefined])
    expect(of(500)).toEqual(['bad', 'tick'])
    expect(of(1_499)).toEqual(['bad', 'tick'])
    expect(of(1_500)).toEqual(['bad', 'amount'])
    expect(toImpactView(712).words).toContain('7.12%')
  })

  it('has a word of its own from 1, 3 and 5 percent on', () => {
    const values = [99, 100, 300, 500].map((bps) => toImpactView(bps).value)
    expect(values).toEqual(['0.99%', '1% · moderate', '3% · high', '5% · very high'])
  })
})
