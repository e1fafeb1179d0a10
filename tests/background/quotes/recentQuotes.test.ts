import { describe, expect, it } from 'vitest'
import type { SwapApi } from '../../../src/api/client.ts'
import { createPriceImpacts } from '../../../src/background/quotes/recentQuotes.ts'
import type { Network } from '../../../src/domain/network/network.ts'
import type { Quote, QuoteRequest } from '../../../src/domain/swap/quote.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { local } from '../../helpers/state/fakes.ts'

const dai = `0x${'d'.repeat(40)}` as const
const trade = { chainId: 31337, sell: nativeTokenAddress, buy: dai, amount: 1_000_000n }
const returns = 3_000_000n
/** A loss of 0.6 % there and back. */
const back = 994_009n

function opened(
  answer: (ask: QuoteRequest) => Promise<bigint> = async () => back,
  network: () => Promise<Network> = async () => local,
) {
  let { serviceUrl } = local
  let time = 0
  const asked: { form: QuoteRequest[]; review: QuoteRequest[] } = { form: [], review: [] }
  const toQuote = async (ask: QuoteRequest): Promise<Quote> => ({
    trade: ask.trade,
    returns: await answer(ask),
    gas: 1n,
    route: [],
  })
  const api = {
    quote(trade, options) {
      asked.review.push({ trade, ...(options && { options }) })
      return toQuote({ trade })
    },
  } as SwapApi
  const impacts = createPriceImpacts({
    quote(ask) {
      asked.form.push(ask)
      return toQuote(ask)
    },
    networks: { network: async () => ({ ...(await network()), serviceUrl }), api: async () => api },
    now: () => time,
  })
  return {
    ...impacts,
    asked,
    pass: (ms: number) => {
      time += ms
    },
    moveTo: (url: string) => {
      serviceUrl = url
    },
  }
}

function unanswered() {
  let resolve: (returns: bigint) => void = () => undefined
  let reject: (error: Error) => void = () => undefined
  const answer = new Promise<bigint>((...functions) => {
    ;[resolve, reject] = functions
  })
  return { answer, resolve, reject }
}

describe('createPriceImpacts', () => {
  it('uses the form’s reverse quote for a review of the same trade', async () => {
    const { form, review, recent, asked } = opened()
    expect(await form({ trade }, returns, 'form')).toBe(30)
    expect(await review({ trade }, returns)).toBe(30)
    const reverse = { trade: { ...trade, sell: dai, buy: nativeTokenAddress, amount: returns } }
    expect(await recent(reverse)).toEqual({ returns: back })
    expect([asked.form.length, asked.review.length]).toEqual([1, 0])
  })

  it('counts a return below the form’s as a loss, up to 0.2 %', async () => {
    const { form, review, asked } = opened()
    await form({ trade }, returns, 'form')
    // 0.2 % less comes back for 0.2 % less: half of it is the way there.
    expect(await review({ trade }, returns - 6_000n)).toBe(40)
    expect(asked.review).toEqual([])
    await review({ trade }, returns - 6_001n)
    await review({ trade }, returns + 6_001n)
    expect(asked.review.map(({ trade }) => trade.amount)).toEqual([2_993_999n, 3_006_001n])
  })

  it('requests the reverse quote after 15 seconds', async () => {
    const { form, review, asked, pass } = opened()
    await form({ trade }, returns, 'form')
    pass(15_000)
    await review({ trade }, returns)
    expect(asked.review).toEqual([])
    pass(1)
    await review({ trade }, returns)
    expect(asked.review).toHaveLength(1)
  })

  it('requests the reverse quote for other options, another pair and another swap service', async () => {
    const { form, review, asked, moveTo } = opened()
    const options = { parts: 5 }
    await form({ trade, options: { ...options, feeBps: 100, referrer: dai } }, returns, 'form')
    // The partner fee is no part of it.
    await review({ trade, options }, returns)
    expect(asked.review).toEqual([])
    await review({ trade }, returns)
    await review({ trade: { ...trade, sell: `0x${'c'.repeat(40)}` }, options }, returns)
    moveTo('https://other.example')
    await review({ trade, options }, returns)
    expect(asked.review).toHaveLength(3)
  })

  it('waits for the form’s reverse quote that is under way', async () => {
    const { answer, resolve: arrive } = unanswered()
    const { form, review, asked } = opened(() => answer)
    const shown = form({ trade }, returns, 'form')
    const reviewed = review({ trade }, returns)
    await new Promise((resolve) => setTimeout(resolve, 5))
    arrive(back)
    expect(await Promise.all([shown, reviewed])).toEqual([30, 30])
    expect(asked.review).toEqual([])
  })

  it('requests the reverse quote when the form’s fails, also while the review waits for it', async () => {
    const { answer, reject: fail } = unanswered()
    const { form, review, asked } = opened(async () => (asked.review.length === 0 ? answer : back))
    const shown = form({ trade }, returns, 'form').catch(() => 'failed')
    const reviewed = review({ trade }, returns)
    await new Promise((resolve) => setTimeout(resolve, 5))
    fail(new WalletError('aborted', 'No.'))
    expect(await Promise.all([shown, reviewed])).toEqual(['failed', 30])
    expect(await review({ trade }, returns)).toBe(30)
    expect(asked.review).toHaveLength(2)
  })

  it('keeps the newer of two quotes whose network is read later', async () => {
    let readOlder = () => {}
    const reads = [
      new Promise<Network>((resolve) => {
        readOlder = () => resolve(local)
      }),
    ]
    const { form, recent, pass } = opened(
      async ({ trade }) => trade.amount,
      () => reads.shift() ?? Promise.resolve(local),
    )
    const older = form({ trade }, returns, 'form')
    pass(1)
    await form({ trade }, returns * 2n, 'form')
    readOlder()
    await older
    const reverse = { ...trade, sell: dai, buy: nativeTokenAddress }
    expect(await recent({ trade: { ...reverse, amount: returns } })).toBeUndefined()
    expect(await recent({ trade: { ...reverse, amount: returns * 2n } })).toEqual({ returns: returns * 2n })
  })
})
