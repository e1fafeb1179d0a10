import { describe, expect, it } from 'vitest'
import { toImpactView } from '../../../../src/ui/swap/review/impact.ts'

describe('toImpactView', () => {
  it('returns a plain percentage below 1%', () => {
    expect(toImpactView(99)).toEqual({ tone: 'plain', value: '0.99%', percent: '0.99%' })
    expect(toImpactView(0)).toEqual({ tone: 'plain', value: '<0.01%', percent: '<0.01%' })
    expect(toImpactView(-40)).toEqual({ tone: 'plain', value: '<0.01%', percent: '<0.01%' })
  })

  it('requires a tick when the price impact is unknown', () => {
    expect(toImpactView(undefined)).toEqual({ tone: 'plain', value: 'Unknown', needs: 'tick' })
  })

  it('notes 1%, warns at 3%, requires a tick at 5% and the typed amount at 15%', () => {
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

  it('adds a different word at 1%, 3% and 5%', () => {
    const values = [99, 100, 300, 500].map((bps) => toImpactView(bps).value)
    expect(values).toEqual(['0.99%', '1% · moderate', '3% · high', '5% · very high'])
  })
})
