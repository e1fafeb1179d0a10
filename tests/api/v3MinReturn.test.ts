import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { swapWithMinReturn } from '../../src/api/v3.ts'
import type { SwapTransaction } from '../../src/domain/swap/quote.ts'
import { failure } from '../helpers/failure.ts'

function service(...returns: bigint[]) {
  const told: string[] = []
  const ask = async (slippage: string) => {
    told.push(slippage)
    return { returns: returns[told.length - 1] ?? returns.at(-1) } as SwapTransaction
  }
  return { told, ask }
}

function promised(returns: bigint, slippage: string): bigint {
  const [whole = '', fraction = ''] = slippage.split('.')
  return (returns * (1_000_000n - BigInt(whole + fraction.padEnd(4, '0')))) / 1_000_000n
}

describe('swapWithMinReturn', () => {
  it.each([
    [1_000_000n, 995_000n, '0.5'],
    [1_000_000n, 996_667n, '0.3333'],
    [1_000_000n, 1_000_000n, '0'],
    [1_000_000n, 500_000n, '50'],
    [1_000_000n, 1n, '50'],
    [3n, 2n, '33.3333'],
    [10n ** 30n, 10n ** 30n - 1n, '0'],
    [2n ** 256n - 1n, 2n ** 255n + 2n ** 254n, '24.9999'],
  ])(
    'derives from a quote of %s and a minimum return of %s a slippage of %s percent',
    async (returns, least, slippage) => {
      const { told, ask } = service(returns)
      await swapWithMinReturn(least, returns, ask)
      expect(told).toEqual([slippage])
    },
  )

  it('requests the largest four-decimal slippage that keeps the minimum return, at most 50 percent', async () => {
    const amounts = fc.bigInt(1n, 2n ** 256n - 1n)
    await fc.assert(
      fc.asyncProperty(amounts, amounts, async (one, other) => {
        const [least, returns] = one < other ? [one, other] : [other, one]
        const { told, ask } = service(returns)
        await swapWithMinReturn(least, returns, ask)
        const [slippage = ''] = told
        expect(slippage).toMatch(/^\d{1,2}(\.\d{1,4})?$/)
        expect(promised(returns, slippage)).toBeGreaterThanOrEqual(least)
        const millionths = Math.round(Number(slippage) * 10_000)
        expect(millionths).toBeLessThanOrEqual(500_000)
        if (millionths < 500_000) {
          expect(promised(returns, String((millionths + 1) / 10_000))).toBeLessThan(least)
        }
      }),
    )
  })

  it('requests no swap when the quote is below the minimum return', async () => {
    const { told, ask } = service(1_000n)
    expect(await failure(swapWithMinReturn(1_001n, 1_000n, ask))).toMatchObject({
      code: 'below-floor',
      facts: { expected: '1001', found: '1000' },
    })
    expect(told).toEqual([])
  })

  it('requests a smaller slippage when the swap returns less than quoted', async () => {
    const { told, ask } = service(995_000n)
    const swap = await swapWithMinReturn(990_000n, 1_000_000n, ask)
    expect(told).toEqual(['1', '0.5025'])
    expect(promised(swap.returns, told[1]!)).toBeGreaterThanOrEqual(990_000n)
  })

  it('accepts a swap that returns more than quoted', async () => {
    const { told, ask } = service(1_010_000n)
    expect((await swapWithMinReturn(990_000n, 1_000_000n, ask)).returns).toBe(1_010_000n)
    expect(told).toEqual(['1'])
  })

  it('throws below-floor after three tries when the return falls each time', async () => {
    const { told, ask } = service(999_000n, 998_000n, 997_000n, 996_000n)
    expect(await failure(swapWithMinReturn(990_000n, 1_000_000n, ask))).toMatchObject({
      code: 'below-floor',
      facts: { expected: '990000', found: '997000' },
    })
    expect(told).toHaveLength(3)
  })

  it('throws below-floor after one try when the swap returns less than the minimum', async () => {
    const { told, ask } = service(980_000n)
    expect(await failure(swapWithMinReturn(990_000n, 1_000_000n, ask))).toMatchObject({
      code: 'below-floor',
      facts: { found: '980000' },
    })
    expect(told).toHaveLength(1)
  })

  it('rethrows the error of the service', async () => {
    const refused = new Error('no')
    await expect(swapWithMinReturn(1n, 2n, () => Promise.reject(refused))).rejects.toBe(refused)
  })
})
