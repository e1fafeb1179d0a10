import { expect, it } from 'vitest'
import type { SimulationVerdict } from '../../../../src/domain/activity/simulation.ts'
import { expectedReturn } from '../../../../src/ui/swap/review/ReviewSides.tsx'
import { toRate } from '../../../../src/ui/swap/review/ReviewSummary.tsx'
import { eth, quoteOf, reviewOf, tradeOfAmount, usdc } from '../../../helpers/state/fakes.ts'

const trade = tradeOfAmount(100n)
const seen = { changes: [], grants: [] }
const of = (verdict: SimulationVerdict) => expectedReturn(reviewOf(trade, { verdict }))

it('expects the quoted amount, or less if the simulation returns less', () => {
  expect(of({ status: 'unknown', reason: 'No simulation.' })).toBe(200n)
  expect(of({ status: 'matches', received: 201n, seen })).toBe(200n)
  expect(of({ status: 'matches', received: 150n, seen })).toBe(150n)
})

it('names the rate in the direction with the larger number', () => {
  const sold = { ...trade, amount: 10n ** 18n }
  expect(toRate({ quote: quoteOf(sold, 3_012_770_000n) }, eth, usdc)).toBe('1 ETH = 3,012.77 USDC')
  const back = { ...trade, sell: usdc.address, buy: eth.address, amount: 3_012_770_000n }
  expect(toRate({ quote: quoteOf(back, 10n ** 18n) }, usdc, eth)).toBe('1 ETH = 3,012.77 USDC')
})
