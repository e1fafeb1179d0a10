import { describe, expect, it } from 'vitest'
import { getPastValue } from '../../../src/domain/activity/pastValue.ts'
import { incoming, swap, transfer } from '../../helpers/samples/activitySamples.ts'

const dollar = 10n ** 8n
const prices = { sell: { usd: 2n * dollar, per: 10n ** 18n }, buy: { usd: dollar, per: 10n ** 6n } }
const shown = { returns: 1n, networkFee: 1n, prices }

describe('getPastValue', () => {
  it('values a completed swap by what it paid out', () => {
    expect(getPastValue(swap({}, { shown }))).toBe(149_999_900n)
  })

  it('values a swap that paid nothing out by what it sells', () => {
    expect(getPastValue(swap({ outcome: { status: 'working' } }, { shown }))).toBe(3n * dollar)
  })

  it('falls back to the sold part when only its price is known', () => {
    const outcome = { status: 'done', received: 1n, spent: 5n * 10n ** 17n } as const
    const { buy: _, ...sold } = prices
    expect(getPastValue(swap({ outcome }, { shown: { ...shown, prices: sold } }))).toBe(dollar)
  })

  it('values what was received by its price when it was seen', () => {
    expect(getPastValue({ ...incoming, price: prices.buy })).toBe(250_000_000n)
  })

  it('values a transfer by its price when confirmed', () => {
    const one = { ...transfer, intent: { ...transfer.intent, price: prices.buy } }
    expect(getPastValue(one)).toBe(1_234_567_800n)
  })

  it('is undefined without a stored price', () => {
    expect([swap(), transfer, incoming].map(getPastValue)).toEqual([undefined, undefined, undefined])
  })
})
