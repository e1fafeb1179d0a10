import { parseEther } from 'viem'
import { describe, expect, it } from 'vitest'
import { createPriceImpact } from '../../../src/background/quotes/priceImpact.ts'
import type { QuoteRequest } from '../../../src/domain/swap/quote.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'

const dai = `0x${'d'.repeat(40)}` as const
const trade = { chainId: 1, sell: nativeTokenAddress, buy: dai, amount: 1_000_000n }

function impactWhen(back: (ask: QuoteRequest) => bigint) {
  const asked: unknown[][] = []
  const impact = createPriceImpact({
    async quote(...args) {
      asked.push(args)
      return { returns: back(args[0]) }
    },
  })
  return { asked, impact }
}

describe('createPriceImpact', () => {
  it.each([
    ['nothing is lost', 1_000_000n, 0],
    ['more comes back than went', 1_000_001n, 0],
    ['0.6 % is lost there and back', 994_009n, 30],
    ['a half basis point is lost', 999_900n, 1],
    ['less than that is lost', 999_901n, 0],
    ['all but a quarter is lost', 250_000n, 5_000],
    ['everything is lost', 0n, 10_000],
  ])('returns half of the round-trip loss when %s', async (_name, back, bps) => {
    const { impact } = impactWhen(() => back)
    expect(await impact({ trade }, 3_000n)).toBe(bps)
  })

  it('requests the reverse quote with the same options, without the partner fee', async () => {
    const { impact, asked } = impactWhen(() => 1_000_000n)
    await impact({ trade }, 3_000n, 'form')
    const options = { parts: 5, excludedProtocols: ['A'] }
    await impact({ trade, options: { ...options, feeBps: 100, referrer: dai } }, 3_000n)
    const back = { chainId: 1, sell: dai, buy: nativeTokenAddress, amount: 3_000n }
    expect(asked).toEqual([
      [{ trade: back, options: {} }, 'form impact'],
      [{ trade: back, options }, undefined],
    ])
  })

  it('excludes the partner fee from the price impact', async () => {
    // The partner fee is 1%; the rest loses 0.3% each way.
    const { impact } = impactWhen(() => (990_000n * 997n * 997n) / 1_000_000n)
    expect(await impact({ trade, options: { feeBps: 100, referrer: dai } }, 3_000n)).toBe(30)
  })

  it('includes the fee and the price movement of a pool, for any size', async () => {
    // Selling x into X loses about 0.3% + x ÷ X.
    const [held, bought] = [parseEther('1000'), parseEther('3000000')]
    const out = (amount: bigint, from: bigint, to: bigint) =>
      (amount * 997n * to) / (from * 1_000n + amount * 997n)
    for (const [sold, bps] of [
      ['0.001', 30],
      ['1', 40],
      ['10', 128],
    ] as const) {
      const amount = parseEther(sold)
      const returns = out(amount, held, bought)
      // The reverse quote knows the pool before the swap.
      const { impact } = impactWhen((ask) => out(ask.trade.amount, bought, held))
      const found = (await impact({ trade: { ...trade, amount } }, returns)) ?? -1
      expect(Math.abs(found - bps)).toBeLessThanOrEqual(1)
    }
  })

  it('stays exact for the largest amounts', async () => {
    const amount = 2n ** 256n - 1n
    const { impact } = impactWhen(() => amount / 4n)
    expect(await impact({ trade: { ...trade, amount } }, 3_000n)).toBe(5_000)
  })

  it('returns undefined without a reverse route, and passes on other errors', async () => {
    const failing = (code: 'no-route' | 'service-busy') =>
      createPriceImpact({ quote: () => Promise.reject(new WalletError(code, 'No.')) })({ trade }, 3_000n)
    expect(await failing('no-route')).toBeUndefined()
    await expect(failing('service-busy')).rejects.toMatchObject({ code: 'service-busy' })
  })
})
