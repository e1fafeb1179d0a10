import { expect, it } from 'vitest'
import { emptyForm } from '../../../src/state/swap/swapForm.ts'
import { formatPrice } from '../../../src/ui/swap/quote/QuoteAnnouncer.tsx'
import { eth, local, quoteOf, tradeOfAmount, usdc } from '../../helpers/state/fakes.ts'

const form = { ...emptyForm, chainId: local.chainId, sell: eth, buy: usdc }
const quote = { ...quoteOf(tradeOfAmount(10n ** 18n)), returns: 3_000_500_000n }

it('formats the amount of the side that was not typed', () => {
  expect(formatPrice({ ...form, side: 'sell' }, quote)).toBe('You receive 3,000.5 USDC')
  expect(formatPrice({ ...form, side: 'buy' }, quote)).toBe('You sell up to 1 ETH')
  expect(formatPrice({ ...form, buy: undefined }, quote)).toBe('')
})
