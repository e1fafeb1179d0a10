import { describe, expect, it } from 'vitest'
import type { Token } from '../../../../src/domain/token/token.ts'
import { toPriceMove } from '../../../../src/ui/swap/quote/PriceMove.tsx'
import { formatRateLine } from '../../../../src/ui/swap/quote/QuoteCard.tsx'
import { dai, local, quoteOf, usdc } from '../../../helpers/state/fakes.ts'

const ether: Token = { ...dai, address: `0x${'e'.repeat(40)}`, symbol: 'ETH' }
const quote = (sell: Token, buy: Token, amount: bigint, returns: bigint) => ({
  ...quoteOf({ chainId: local.chainId, sell: sell.address, buy: buy.address, amount }),
  returns,
})

describe('the rate of a quote', () => {
  const sale = quote(ether, usdc, 10n ** 18n, 3_000_000_000n)
  const purchase = quote(usdc, ether, 3_000_000_000n, 10n ** 18n)

  it('is the number above one, whichever way the swap goes', () => {
    expect(formatRateLine(sale, ether, usdc, false)).toBe('1 ETH = 3,000 USDC')
    expect(formatRateLine(purchase, usdc, ether, false)).toBe('1 ETH = 3,000 USDC')
  })

  it('is inverted on request', () => {
    expect(formatRateLine(sale, ether, usdc, true)).toBe('1 USDC = 0.00033333 ETH')
    expect(formatRateLine(purchase, usdc, ether, true)).toBe('1 USDC = 0.00033333 ETH')
  })

  it('keeps its direction for tokens of about the same worth', () => {
    for (const returns of [990_000n, 1_010_000n])
      expect(formatRateLine(quote(dai, usdc, 10n ** 18n, returns), dai, usdc, false)).toMatch(/^1 DAI = /)
  })
})

describe('the move of a price', () => {
  it('compares what a unit sold returns, in basis points', () => {
    const before = quote(ether, usdc, 10n ** 18n, 3_000_000_000n)
    expect(toPriceMove(before, { ...before, returns: 3_003_600_000n })).toBe(12)
    expect(toPriceMove(before, { ...before, returns: 2_997_000_000n })).toBe(-10)
    expect(toPriceMove(before, { ...before, returns: 3_000_100_000n })).toBe(0)
    // An amount to receive: more is sold for the same.
    expect(toPriceMove(before, quote(ether, usdc, 102n * 10n ** 16n, 3_000_000_000n))).toBe(-196)
  })
})
