import { vi } from 'vitest'
import type { Quote, QuoteRequest, Trade } from '../../../src/domain/swap/quote.ts'
import type { WalletApi } from '../../../src/protocol.ts'
import { systemClock } from '../../../src/state/clock.ts'
import { createQuote } from '../../../src/state/swap/quote.ts'
import { quoteOf } from './fakes.ts'

export const minute = 60_000
export const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

type Others = {
  impact?: WalletApi['priceImpact']
  market?: WalletApi['marketReturns']
  sellFor?: WalletApi['findSellAmount']
}

export function watchQuote(
  answer: (trade: Trade, ask: QuoteRequest) => Promise<Quote> = async (trade) => quoteOf(trade),
  {
    impact = async () => 12,
    market = async () => undefined,
    sellFor = () => Promise.reject(new Error('Not expected.')),
  }: Others = {},
) {
  const asked: { trade: Trade; at: number }[] = []
  const views = new Set<string>()
  const clock = systemClock()
  const began = clock.now()
  const store = createQuote(
    {
      quote(ask, view = '') {
        views.add(view)
        asked.push({ trade: ask.trade, at: clock.now() - began })
        return answer(ask.trade, ask)
      },
      priceImpact: impact,
      marketReturns: market,
      findSellAmount: sellFor,
    },
    { clock, everyMs: () => 6_000, random: () => 0.5 },
  )
  return { store, asked, views, state: () => store.getState() }
}
