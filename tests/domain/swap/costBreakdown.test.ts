import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CostBreakdown,
  costBreakdown,
  expectedReturn,
  finalCostBreakdown,
  priceMoveBps,
} from '../../../src/domain/swap/costBreakdown.ts'

const amount = fc.bigInt({ min: 0n, max: 10n ** 30n })
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const impactBps = maybe(fc.integer({ min: -300, max: 12_000 }))
const feeBps = maybe(fc.integer({ min: 0, max: 300 }))

const total = ({ worth, impact = 0n, fee, slippage = 0n, networkFee = 0n }: CostBreakdown) =>
  worth - impact - fee - slippage - networkFee

describe('costBreakdown', () => {
  it('adds up to the last unit without a negative impact or fee', () => {
    fc.assert(
      fc.property(amount, impactBps, feeBps, maybe(amount), (returns, impactBps, feeBps, networkFeeWorth) => {
        const sum = costBreakdown({ returns, impactBps, feeBps, networkFeeWorth })
        expect(total(sum)).toBe(sum.left)
        expect(sum.left).toBe(returns - (networkFeeWorth ?? 0n))
        expect(sum.impact ?? 0n).toBeGreaterThanOrEqual(0n)
        expect(sum.fee).toBeGreaterThanOrEqual(0n)
        expect(sum.worth).toBeGreaterThanOrEqual(returns)
      }),
    )
  })

  it('takes the price impact from the worth and the partner fee from the remainder', () => {
    expect(costBreakdown({ returns: 9_702n, impactBps: 200, feeBps: 100, networkFeeWorth: 2n })).toEqual({
      worth: 10_000n,
      impact: 200n,
      fee: 98n,
      networkFee: 2n,
      left: 9_700n,
    })
  })

  it('omits unknown costs', () => {
    expect(costBreakdown({ returns: 500n })).toEqual({ worth: 500n, fee: 0n, left: 500n })
  })
})

describe('finalCostBreakdown', () => {
  const shown = { returns: 1_000n, networkFee: 60n, networkFeeWorth: 30n, impactBps: 0 }
  const sold = { part: 7n, whole: 7n }

  it('adds up to the last unit for any received amount and network fee', () => {
    const shownOnes = fc.record({
      returns: amount,
      networkFee: amount,
      networkFeeWorth: amount,
      impactBps: fc.integer({ min: 0, max: 9_999 }),
    })
    const parts = fc.tuple(amount, amount).map(([part, rest]) => ({ part, whole: part + rest }))
    fc.assert(
      fc.property(shownOnes, amount, amount, parts, feeBps, (shown, received, paid, sold, feeBps) => {
        const sum = finalCostBreakdown(shown, { received, paid, sold, feeBps })
        expect(total(sum)).toBe(sum.left)
        expect(sum.networkFee ?? 0n).toBeGreaterThanOrEqual(0n)
        expect(sum.impact).toBeGreaterThanOrEqual(0n)
      }),
    )
  })

  it('counts the slippage and the network fee that was paid', () => {
    const sum = finalCostBreakdown(shown, { received: 990n, paid: 20n, sold })
    expect(sum).toMatchObject({ worth: 1_000n, slippage: 10n, networkFee: 10n, left: 980n })
  })

  it('reports a better price as negative slippage', () => {
    expect(finalCostBreakdown(shown, { received: 1_004n, paid: 0n, sold }).slippage).toBe(-4n)
  })

  it('scales the expected return to the sold part', () => {
    const half = { part: 5n, whole: 10n }
    expect(expectedReturn(1_000n, half)).toBe(500n)
    expect(finalCostBreakdown(shown, { received: 500n, paid: 60n, sold: half })).toMatchObject({
      worth: 500n,
      slippage: 0n,
      left: 470n,
    })
  })

  it('omits the network fee when its worth is unknown', () => {
    const sum = finalCostBreakdown({ returns: 10n, networkFee: 5n }, { received: 10n, paid: 5n, sold })
    expect(sum).toEqual({ worth: 10n, fee: 0n, slippage: 0n, left: 10n })
  })
})

describe('priceMoveBps', () => {
  it('returns the price change in basis points with two decimals', () => {
    expect(priceMoveBps(1_000_000n, 999_800n)).toBe(-2)
    expect(priceMoveBps(3_000_000n, 3_000_100n)).toBe(0.33)
    expect(priceMoveBps(0n, 5n)).toBe(0)
  })
})
