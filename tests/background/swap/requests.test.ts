import { parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { SwapApi } from '../../../src/api/client.ts'
import { createFetchQuote } from '../../../src/background/quotes/rateLimitedQuotes.ts'
import { createPriceImpacts } from '../../../src/background/quotes/recentQuotes.ts'
import type { QuoteRequest, Trade } from '../../../src/domain/swap/quote.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import {
  accept,
  type Browser,
  createBrowser,
  createWorker,
  useStage,
  type Wanted,
  type Worker,
  type WorkerOptions,
} from '../../helpers/background/worker.ts'
import { type HttpServer, startHttpServer } from '../../helpers/httpServer.ts'
import { readWord } from '../../helpers/service/lyingService.ts'

// Counts requests at the service itself.

const stage = useStage()
let proxy: HttpServer
let browser: Browser
let asked: { operation: string; query: URLSearchParams }[] = []

beforeAll(async () => {
  proxy = await startHttpServer(async ({ url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, stage.service.url)
    asked.push({ operation: pathname.replace('/v6.1/31337/', ''), query: searchParams })
    const answer = await fetch(stage.service.url + url)
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
})
afterAll(() => proxy?.stop())
beforeEach(async () => {
  await use({})
})

async function use(changes: object): Promise<void> {
  browser = await createBrowser({
    ...stage,
    network: { ...stage.network, serviceUrl: proxy.url, ...changes },
  })
  asked = []
}

/** Market prices by the chain's pools. */
function withMarket() {
  const { contracts, tokens } = stage.localnet
  const { v2Factory, v3Factory } = contracts
  return use({ stable: tokens.USDC, market: { v2Factory, v3Factory } })
}

const operations = () => asked.map(({ operation }) => operation).sort()

/** The quotes of a form and the reviews after it, wired as in the worker. */
function open(options: WorkerOptions = {}) {
  const networks: Worker['networks'] = {
    network: (chainId: number) => worker.networks.network(chainId),
    api: (chainId: number) => worker.networks.api(chainId),
  } as Worker['networks']
  const price = createFetchQuote({ networks })
  const impacts = createPriceImpacts({ networks, quote: (ask) => price(ask) })
  const cached = async () => [listed(stage.localnet.tokens.LINK)]
  const worker: Worker = createWorker(browser, {
    recent: impacts.recent,
    impact: impacts.review,
    cached,
    ...options,
  })
  return {
    worker,
    async showForm(ask: QuoteRequest): Promise<number | undefined> {
      const { returns } = await price(ask)
      const shown = await impacts.form(ask, returns, 'form')
      asked = []
      return shown
    },
  }
}

const listed = (address: Address) => ({
  ...{ address, symbol: 'LINK', name: 'LINK', decimals: 18, listed: true, eip2612: false },
  ...{ taxed: false, tags: [] },
})

const sale = (): Trade => {
  const { LINK, DAI } = stage.localnet.tokens
  return { chainId: 31337, sell: LINK, buy: DAI, amount: parseEther('3') }
}

it('asks the service only for the swap in a review after the form, with its approval and all figures', async () => {
  await withMarket()
  const { worker, showForm } = open()
  const shown = await showForm({ trade: sale() })
  const review = await worker.review(sale())
  expect(operations()).toEqual(['swap'])
  expect(asked[0]?.query.get('slippage')).toBe('0.5')
  expect(review.steps).toEqual(['approve', 'swap'])
  expect(review.router).toBe(stage.localnet.contracts.router)
  expect(shown).toBeGreaterThan(0)
  expect(review.impactBps).toBe(shown)
  // 1 ETH is worth about 3,000 DAI.
  expect(Number(review.networkFeeWorth) / Number(review.expectedFee)).toBeCloseTo(3_000, -2)
})

it('asks for the fee’s worth after the form when the chain has no market price', async () => {
  const { worker, showForm } = open()
  await showForm({ trade: sale() })
  const review = await worker.review(sale())
  expect(operations()).toEqual(['quote', 'swap'])
  const quoted = asked.find(({ operation }) => operation === 'quote')
  expect(quoted?.query.get('src')).toBe(nativeTokenAddress)
  expect(review.impactBps).toBeGreaterThan(0)
  expect(Number(review.networkFeeWorth) / Number(review.expectedFee)).toBeCloseTo(3_000, -2)
})

it('simulates while the form’s reverse quote is under way', async () => {
  await withMarket()
  const events: string[] = []
  let arrive = () => {}
  const answer = new Promise<{ returns: bigint }>((resolve) => {
    arrive = () => resolve({ returns: 1n })
  })
  const { worker } = open({
    recent: () => answer.finally(() => events.push('recent')),
    async gate(operation, perform) {
      if (operation === 'chain.simulate') {
        events.push('simulation')
        arrive()
      }
      return perform()
    },
  })
  const { verdict } = await worker.review(sale())
  expect(verdict.status).toBe('matches')
  expect(events).toEqual(['simulation', 'recent'])
})

it('does not wait for a reverse quote that never arrives', async () => {
  const { worker } = open({ recent: () => new Promise(() => {}), softlyMs: 20 })
  const { verdict } = await worker.review(sale())
  expect(verdict.status).toBe('matches')
})

it.each([
  ['without a form', undefined],
  ['after a form with another amount', (trade: Trade) => ({ trade: { ...trade, amount: 4n * 10n ** 18n } })],
  ['after a form with other options', (trade: Trade) => ({ trade, options: { parts: 3 } })],
])('asks for the swap and the reverse quote in a review %s', async (_when, form) => {
  const { worker, showForm } = open()
  if (form) await showForm(form(sale()))
  const review = await worker.review(sale())
  expect(operations()).toEqual(['quote', 'swap'])
  const quoted = asked.find(({ operation }) => operation === 'quote')
  expect(quoted?.query.get('src')).toBe(sale().buy)
  expect(review.impactBps).toBeGreaterThan(0)
})

it('asks twice for the swap, and for nothing else, in a review with a minimum above the slippage’s', async () => {
  const { worker } = open()
  const { quote } = await worker.review(sale())
  asked = []
  const review = await worker.review(sale(), { slippageBps: 300, atLeast: quote.returns - 1n })
  expect(review.floor).toBe(quote.returns - 1n)
  expect(operations()).toEqual(['swap', 'swap'])
})

it('asks for nothing but the swap at a pinned router', async () => {
  await use({ router: stage.localnet.contracts.router })
  const { worker, showForm } = open()
  await showForm({ trade: { ...sale(), sell: nativeTokenAddress } })
  await worker.review({ ...sale(), sell: nativeTokenAddress })
  expect(operations()).toEqual(['swap'])
})

it('asks for the spender only when the swap goes to an unknown router', async () => {
  const friend: Address = `0x${'f1'.repeat(20)}`
  const { worker } = open({
    api: (api: SwapApi) => ({
      ...api,
      swap: async (...swap) => ({ ...(await api.swap(...swap)), to: friend }),
    }),
  })
  await expect(worker.review(sale())).rejects.toMatchObject({
    code: 'unsafe-transaction',
    facts: { fact: 'router', found: friend },
  })
  expect(operations()).toEqual(['approve/spender', 'swap'])
})

it.each([
  ['the native token', nativeTokenAddress, {}, 1],
  ['a token with an approval', undefined, {}, 2],
  ['a token by Permit2', undefined, { permission: { via: 'permit2', isUnlimited: false, amount: 0n } }, 3],
] as const)(
  'asks for the swap once per transaction and permit after the confirmation: %s',
  async (_what, sell, more, count) => {
    const trade = { ...sale(), sell: sell ?? sale().sell }
    const { worker } = open()
    const wanted: Wanted = {
      slippageBps: 50,
      ...more,
      ...('permission' in more && { permission: { ...more.permission, amount: trade.amount } }),
    }
    const review = await worker.review(trade, wanted)
    asked = []
    // A price that rose since the review raises the minimum without another request.
    const floor = review.floor - 10n ** 15n
    const intent = accept(browser.account, trade, { ...review, floor }, wanted)
    await worker.swap(intent)
    const { outcome, steps } = await worker.over(intent.id)
    expect(outcome.status).toBe('done')
    expect(operations()).toEqual(Array(count).fill('swap'))
    const mined = await stage.localnet.client.getTransaction({ hash: steps.at(-1)!.hash! })
    expect(readWord(mined.input, 'floor')).toBeGreaterThan(floor)
    await stage.service.engine.refresh()
  },
)
