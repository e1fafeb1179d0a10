import { describe, expect, it } from 'vitest'
import { formatBound } from '../../service/routing/optimizer/certificate.ts'
import { parseRouteBound } from '../../src/api/routeBound.ts'

describe('parseRouteBound', () => {
  it('reads what the service writes', () => {
    for (const [returns, upper] of [
      [10n ** 30n, 10n ** 30n + 10n ** 26n],
      [999_958n, 1_000_000n],
      [7n, 7n],
    ] as const) {
      const gapBps = 10_000 * (Number(upper - returns) / Number(upper))
      const parsed = parseRouteBound(formatBound({ upper, gapBps, over: 'market' }), returns)
      expect(parsed).toBeGreaterThanOrEqual(gapBps)
      expect(parsed).toBeLessThan(gapBps + 0.0101)
    }
  })

  it('reads the members in any order, and beside others', () => {
    expect(parseRouteBound('gap-bps=0.42, upper="1000042"', 1_000_000n)).toBe(0.42)
    expect(parseRouteBound('upper="1000042", other=1, gap-bps=0.42;x', 1_000_000n)).toBe(0.42)
  })

  it('takes no proof from anything else', () => {
    for (const header of [
      undefined,
      '',
      'gap-bps=0.42',
      'upper="1000042"',
      'upper=1000042, gap-bps=0.42',
      'upper="-1", gap-bps=0.42',
      'upper="1000042", gap-bps=-1',
      'upper="1000042", gap-bps=NaN',
      'upper="1000042", gap-bps=1e9',
      'upper="1000042", gap-bps=99999',
      'upper="1000042", gap-bps=0.4.2',
      `upper="1000042", gap-bps=0.42${' '.repeat(300)}`,
      `upper="${'9'.repeat(79)}", gap-bps=0.42`,
    ])
      expect(parseRouteBound(header, 1_000_000n), header).toBeUndefined()
  })

  it('takes no proof that contradicts the quote', () => {
    // The bound is below what the quote returns, or farther above it than the gap says.
    expect(parseRouteBound('upper="999999", gap-bps=0.00', 1_000_000n)).toBeUndefined()
    expect(parseRouteBound('upper="1010000", gap-bps=0.01', 1_000_000n)).toBeUndefined()
    expect(parseRouteBound('upper="0", gap-bps=0.00', 0n)).toBe(0)
  })
})
