import { parseEther } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import type { TokenSymbol } from '../../../dev/pools/tokens.ts'
import type { Trade } from '../../../src/domain/swap/quote.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import {
  accept,
  type Browser,
  createBrowser,
  createWorker,
  useStage,
  type Worker,
  type WorkerOptions,
} from '../../helpers/background/worker.ts'
import { directNetwork } from '../../helpers/node/directSwaps.ts'

const stage = useStage()
let browser: Browser
let worker: Worker

beforeAll(async () => {
  const network = directNetwork(stage.localnet)
  browser = await createBrowser({ ...stage, network })
  worker = createWorker(browser)
})

type Symbol = TokenSymbol | 'ETH'

const tokenOf = (symbol: Symbol): Address =>
  symbol === 'ETH' ? nativeTokenAddress : stage.localnet.tokens[symbol]

const tradeOf = (sell: Symbol, buy: Symbol, amount: bigint): Trade => ({
  chainId: 31337,
  sell: tokenOf(sell),
  buy: tokenOf(buy),
  amount,
})

describe('direct swaps through the worker', () => {
  it.each<[sell: Symbol, buy: Symbol, amount: bigint, steps: string[]]>([
    ['ETH', 'USDC', parseEther('1'), ['swap']],
    // EIP-2612: one transaction.
    ['USDC', 'ETH', 1_000_000_000n, ['swap']],
    ['USDT', 'DAI', 500_000_000n, ['approve', 'swap']],
    // Through the wrapped native token.
    ['LINK', 'USDT', parseEther('100'), ['approve', 'swap']],
  ])('sells %s for %s as quoted, without a service', async (sell, buy, amount, steps) => {
    const trade = tradeOf(sell, buy, amount)
    const review = await worker.review(trade)
    expect(review.verdict.status).toBe('matches')
    expect(review.steps).toEqual(steps)
    expect(review.router).toBe(stage.localnet.contracts.swapRouter)
    const intent = accept(browser.account, trade, review)
    await worker.swap(intent)
    const { outcome } = await worker.over(intent.id)
    expect(outcome).toEqual({ status: 'done', received: review.quote.returns })
  })

  it('pays another recipient, with the minimum for the sum of a split', async () => {
    const receiver: Address = '0xdec0de0000000000000000000000000000000003'
    const trade = tradeOf('WETH', 'USDC', parseEther('2'))
    const review = await worker.review(trade, { receiver })
    const intent = accept(browser.account, trade, review, { receiver })
    await worker.swap(intent)
    expect((await worker.over(intent.id)).outcome).toEqual({
      status: 'done',
      received: review.quote.returns,
    })
    const chain = await worker.networks.chain(31337)
    expect(await chain.balances(receiver, [trade.buy])).toEqual({ [trade.buy]: review.quote.returns })
  })

  it('refuses a pair without a pool as no-route, and an option that it does not know', async () => {
    const trade = tradeOf('BROOK', 'WETH', parseEther('100'))
    await expect(worker.review(trade)).rejects.toMatchObject({ code: 'no-route' })
    const known = tradeOf('ETH', 'USDC', parseEther('1'))
    const options = { feeBps: 10, referrer: browser.account }
    await expect(worker.review(known, { options })).rejects.toMatchObject({
      code: 'invalid-input',
      facts: { field: 'feeBps' },
    })
  })

  it('follows a worker that was killed between approval and swap', async () => {
    let sent = 0
    // From the second transaction on nothing happens, nor after.
    const doomed = createWorker(browser, {
      gate: (operation, perform) => {
        if (operation === 'chain.send') sent += 1
        return sent > 1 ? new Promise(() => {}) : perform()
      },
    })
    const trade = tradeOf('DAI', 'LINK', parseEther('100'))
    const review = await doomed.review(trade, { permission: { via: 'approve', amount: trade.amount } })
    expect(review.steps).toEqual(['approve', 'swap'])
    const intent = accept(browser.account, trade, review, {
      permission: { via: 'approve', amount: trade.amount },
    })
    void doomed.swap(intent)
    await expect.poll(() => sent, { timeout: 60_000 }).toBe(2)
    const next = createWorker(browser)
    await next.resume()
    expect((await next.over(intent.id)).outcome).toEqual({ status: 'done', received: review.quote.returns })
  })
})

describe('a direct swap whose price moves between estimate and simulation', () => {
  const trade = () => tradeOf('ETH', 'USDC', parseEther('1'))

  /** Another account sells the same token before the first simulation. */
  async function moved(): Promise<Worker> {
    const other = await createBrowser({ ...stage, network: directNetwork(stage.localnet) })
    await stage.localnet.client.setBalance({ address: other.account, value: parseEther('1000') })
    let isMoved = false
    async function move(): Promise<void> {
      if (isMoved) return
      isMoved = true
      const rival = createWorker(other)
      const sold = tradeOf('ETH', 'USDC', parseEther('100'))
      const intent = accept(other.account, sold, await rival.review(sold))
      await rival.swap(intent)
      expect((await rival.over(intent.id)).outcome.status).toBe('done')
    }
    return createWorker(browser, {
      chain: (real) => ({
        ...real,
        async simulate(...args) {
          // As estimated before, at the old price.
          await move()
          return real.simulate(...args)
        },
        estimateGas: async (call) => (isMoved ? real.estimateGas(call) : 500_000n),
      }),
    })
  }

  it('is reviewed as below the minimum', async () => {
    const { verdict } = await (await moved()).review(trade(), { slippageBps: 1 })
    expect(verdict).toEqual({ status: 'below-floor', seen: { changes: [], grants: [] } })
  })

  it('is signed with the accepted minimum if the raised one fails', async () => {
    const review = await worker.review(trade(), { slippageBps: 1 })
    const floor = (review.quote.returns * 92n) / 100n
    const intent = accept(browser.account, trade(), { ...review, floor }, { slippageBps: 1 })
    const late = await moved()
    await late.swap(intent)
    const { outcome } = await late.over(intent.id)
    expect(outcome).toEqual({ status: 'done', received: expect.any(BigInt) })
    const { received = 0n } = outcome as { received?: bigint }
    expect(received).toBeGreaterThanOrEqual(floor)
    expect(received).toBeLessThan((review.quote.returns * 9_999n) / 10_000n)
  })
})

describe('a direct swap on a network with a service', () => {
  /** Names of the requests to the service. */
  async function reviewed(trade: Trade, options: WorkerOptions = {}) {
    const { serviceUrl } = stage.network
    const both = await createBrowser({ ...stage, network: { ...directNetwork(stage.localnet), serviceUrl } })
    const asked: string[] = []
    const worker = createWorker(both, {
      ...options,
      gate(operation, perform) {
        if (operation.startsWith('api.')) asked.push(operation)
        return perform()
      },
    })
    return { review: await worker.review(trade, { options: { source: 'direct' } }), asked }
  }

  it('is reviewed without a request to the service', async () => {
    const { review, asked } = await reviewed(tradeOf('USDC', 'ETH', 1_000_000_000n))
    expect(review.verdict.status).toBe('matches')
    expect(asked).toEqual([])
  })

  it('values the network fee by its own pools where the market has no price', async () => {
    const { review, asked } = await reviewed(tradeOf('USDC', 'DAI', 1_000_000_000n), {
      recent: async () => ({ returns: 1_000_000_000n }),
      chain: (real) => ({ ...real, marketReturns: async (asks) => asks.map(() => undefined) }),
    })
    // DAI for ETH.
    expect(Number(review.networkFeeWorth) / Number(review.expectedFee)).toBeGreaterThan(2_000)
    expect(asked).toEqual([])
  })
})
