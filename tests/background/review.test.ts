import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SwapApi } from '../../src/api/api.ts'
import { native } from '../../src/domain/token.ts'
import { leastReturn, type Trade } from '../../src/domain/trade.ts'
import { accept, type Browser, createBrowser, createStage, createWorker, type Stage } from './worker.ts'

let stage: Stage
let browser: Browser
let trade: Trade

beforeAll(async () => {
  stage = await createStage()
  browser = await createBrowser(stage)
  trade = { chainId: 31337, sell: native, buy: stage.world.tokens.USDC, amount: parseEther('1') }
})
afterAll(() => stage?.stop())

const review = (atLeast = 0n, slippageBps = 50, by = (api: SwapApi) => api) =>
  createWorker(browser, { api: by }).review(trade, { atLeast, slippageBps })

describe('a review with a promised amount', () => {
  it('keeps the floor of the slippage when that is more', async () => {
    const { quote, floor } = await review(1n)
    expect(floor).toBe(leastReturn(quote.returns, 50))
  })

  it('lifts the floor to what was promised, in the calldata too', async () => {
    const { quote } = await review()
    const promised = quote.returns - 1n
    const lifted = await review(promised, 300)
    expect(lifted.floor).toBe(promised)
    expect(lifted.quote.returns).toBeGreaterThanOrEqual(promised)
  })

  it('can promise all that is returned', async () => {
    const { quote } = await review()
    expect((await review(quote.returns)).floor).toBe(quote.returns)
  })

  it('refuses to promise more than there is, with both numbers', async () => {
    const { quote } = await review()
    await expect(review(quote.returns + 1n)).rejects.toMatchObject({
      code: 'below-floor',
      facts: { expected: String(quote.returns + 1n), found: String(quote.returns) },
    })
  })

  it('refuses when the price falls between the two builds', async () => {
    const { quote } = await review()
    const falling = (api: SwapApi): SwapApi => ({
      ...api,
      async swap(wanted, options) {
        const built = await api.swap(wanted, options)
        return options.leastReturn === undefined ? built : { ...built, returns: quote.returns - 2n }
      },
    })
    await expect(review(quote.returns - 1n, 50, falling)).rejects.toMatchObject({ code: 'below-floor' })
  })

  it('refuses a service that leaves the floor where it was', async () => {
    const deaf = (api: SwapApi): SwapApi => ({
      ...api,
      swap: (wanted, { leastReturn: _unheard, ...options }) =>
        api.swap(wanted, { ...options, slippageBps: 300 }),
    })
    const { quote } = await review()
    await expect(review(quote.returns - 1n, 300, deaf)).rejects.toMatchObject({ code: 'below-floor' })
  })

  it('is signed with the lifted floor', async () => {
    const worker = createWorker(browser)
    const { quote } = await review()
    const lifted = await review(quote.returns - 10n, 300)
    const intent = accept(browser.account, trade, lifted, 300)
    await worker.swap(intent)
    const { outcome } = await worker.over(intent.id)
    expect(outcome.status).toBe('done')
    if (outcome.status === 'done') expect(outcome.received).toBeGreaterThanOrEqual(quote.returns - 10n)
  })
})
