import { describe, expect, it } from 'vitest'
import { requestedMinReturn, type SwapRequest } from '../../../src/domain/dapp/swapRequest.ts'
import type { Trade } from '../../../src/domain/swap/quote.ts'

const [one, other, third] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}` as const) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
]
const trade: Trade = { chainId: 1, sell: one, buy: other, amount: 100n }
const named = { id: 'a', chainId: 1, from: third }
const changed: Trade[] = [
  { ...trade, sell: third },
  { ...trade, buy: third },
  { ...trade, amount: 101n },
]

describe('requestedMinReturn', () => {
  it('applies the requested minimum only to the requested trade', () => {
    const sale: SwapRequest = {
      ...named,
      type: 'sell',
      token: one,
      pairToken: other,
      amount: 100n,
      minReceived: 7n,
    }
    expect(requestedMinReturn(sale, trade, 100n)).toBe(7n)
    expect(changed.map((own) => requestedMinReturn(sale, own, 100n))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    const { minReceived: _, ...free } = sale
    expect(requestedMinReturn(free, trade)).toBeUndefined()
  })

  it('applies the requested minimum to any value of a field that the dapp left open', () => {
    const sale: SwapRequest = { ...named, type: 'sell', pairToken: other, minReceived: 7n }
    const own = [{ ...trade, sell: third }, trade, { ...trade, amount: 101n }]
    expect(own.map((each) => requestedMinReturn(sale, each))).toEqual([7n, 7n, 7n])
    expect(requestedMinReturn(sale, { ...trade, buy: third })).toBeUndefined()
  })

  it('returns the requested buy amount while the trade and its sell amount are unchanged', () => {
    const purchase: SwapRequest = { ...named, type: 'buy', token: other, pairToken: one, amount: 50n }
    expect(requestedMinReturn(purchase, trade, 100n)).toBe(50n)
    expect(changed.map((own) => requestedMinReturn(purchase, own, 100n))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(requestedMinReturn(purchase, trade)).toBeUndefined()
  })
})
