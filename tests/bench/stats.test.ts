import { describe, expect, it } from 'vitest'
import { summarise } from '../../bench/stats.ts'

describe('summarise', () => {
  it('returns the percentiles of the measurements', () => {
    const took = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect(summarise(took)).toEqual({ runs: 100, p50: 51, p95: 96, p99: 100 })
    expect(summarise([0.1234])).toEqual({ runs: 1, p50: 0.123, p95: 0.123, p99: 0.123 })
  })

  it.each([[[]], [[1, Number.NaN, 2]]])('throws for %j', (took) => {
    expect(() => summarise(took)).toThrow('not measured')
  })
})
