import { describe, expect, it } from 'vitest'
import { summarise } from '../../bench/stats.ts'

describe('percentiles', () => {
  it('are those of what was measured', () => {
    const took = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect(summarise(took)).toEqual({ runs: 100, p50: 51, p95: 96, p99: 100 })
    expect(summarise([0.1234])).toEqual({ runs: 1, p50: 0.123, p95: 0.123, p99: 0.123 })
  })

  it.each([[[]], [[1, Number.NaN, 2]]])('of %j are none: no limit holds for that', (took) => {
    expect(() => summarise(took)).toThrow('not measured')
  })
})
