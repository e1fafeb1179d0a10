import { describe, expect, it } from 'vitest'
import {
  checkPrice,
  gainBps,
  lossBps,
  type MarketReturns,
  requireAcceptedLoss,
} from '../../../src/domain/swap/market.ts'

const market = (returns: bigint): MarketReturns => ({ source: 'oracle', returns })

describe('comparison with the market price', () => {
  it('computes the loss against the market, rounded up, and zero for a better price', () => {
    expect(lossBps(9_000n, 15_000n)).toBe(4_000)
    expect(lossBps(99_999n, 100_000n)).toBe(1)
    expect(lossBps(15_001n, 15_000n)).toBe(0)
    expect(lossBps(0n, 15_000n)).toBe(10_000)
  })

  it('computes the gain relative to the market’s return', () => {
    expect(gainBps(143_232n, 81_533n)).toBe(7_567)
    expect(gainBps(30_000n, 10_000n)).toBe(20_000)
    expect([gainBps(10_000n, 10_000n), gainBps(9_000n, 10_000n)]).toEqual([0, 0])
  })

  it('classifies a price as near up to 3 percent and as far below beyond 10 percent', () => {
    const of = (returns: bigint, least = returns) => checkPrice(returns, least, market(10_000n)).status
    expect([of(10_500n), of(9_700n), of(9_699n), of(9_000n), of(8_999n)]).toEqual([
      'near',
      'near',
      'below',
      'below',
      'far-below',
    ])
    expect(checkPrice(9_900n, 8_900n, market(10_000n))).toEqual({
      status: 'far-below',
      quotedBps: 100,
      leastBps: 1_100,
      isQuoted: false,
    })
  })

  it('returns an unknown status without a market price', () => {
    expect(checkPrice(1n, 1n, undefined)).toEqual({ status: 'unknown' })
  })

  it('rejects a loss above 10 percent unless it was accepted, with 5 percent tolerance', () => {
    const sign = (least: bigint, acceptedBps?: number) => () =>
      requireAcceptedLoss(least, market(10_000n), acceptedBps)
    expect(sign(9_000n)).not.toThrow()
    expect(sign(8_999n)).toThrow(expect.objectContaining({ code: 'below-market' }))
    expect(sign(6_000n, 4_000)).not.toThrow()
    // The market may have moved by five percent since.
    expect(sign(5_500n, 4_000)).not.toThrow()
    expect(sign(5_499n, 4_000)).toThrow(expect.objectContaining({ code: 'below-market' }))
    expect(sign(8_999n, 0)).toThrow()
    expect(() => requireAcceptedLoss(1n, undefined, undefined)).not.toThrow()
  })
})
