import { erc20Abi, parseEther } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import type { TokenSymbol } from '../../../dev/pools/tokens.ts'
import type { SwapApi } from '../../../src/api/client.ts'
import type { BalanceChange } from '../../../src/domain/activity/simulation.ts'
import { simulatedReturns } from '../../../src/domain/swap/newPrice.ts'
import { computeMinReturn, type Trade } from '../../../src/domain/swap/quote.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import type { Chain } from '../../../src/evm/client.ts'
import {
  accept,
  type Browser,
  createBrowser,
  createWorker,
  useStage,
  type Wanted,
} from '../../helpers/background/worker.ts'

const stage = useStage()
let browser: Browser
let trade: Trade

beforeAll(async () => {
  browser = await createBrowser(stage)
  trade = tradeOf('ETH', 'USDC', parseEther('1'))
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

const review = (atLeast = 0n, slippageBps = 50, by = (api: SwapApi) => api) =>
  createWorker(browser, { api: by }).review(trade, { atLeast, slippageBps })

describe('review', () => {
  it('lists one transaction for the native token and two for a token, with their fees', async () => {
    const coin = await createWorker(browser).review(tradeOf('ETH', 'USDC', parseEther('1')))
    expect(coin.steps).toEqual(['swap'])
    expect(coin.router).toBe(stage.localnet.contracts.router)
    expect(coin.floor).toBe((coin.quote.returns * 9_950n) / 10_000n)
    const token = await createWorker(browser).review(tradeOf('DAI', 'ETH', parseEther('100')))
    expect(token.steps).toEqual(['approve', 'swap'])
    expect(token.networkFee).toBeGreaterThan(0n)
    expect(token.feeCap).toBe((token.networkFee * 3n) / 2n)
  })

  it('stores and signs nothing', async () => {
    const stored = () => createWorker(browser).list()
    const nonce = () => stage.localnet.client.getTransactionCount({ address: browser.account })
    const before = [await stored(), await nonce()]
    await createWorker(browser).review(tradeOf('USDC', 'ETH', 100_000_000n))
    expect([await stored(), await nonce()]).toEqual(before)
  })

  it('rejects an amount above the balance, with both amounts', async () => {
    const { client } = stage.localnet
    const held = await client.readContract({
      address: tokenOf('USDC'),
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [browser.account],
    })
    await expect(createWorker(browser).review(tradeOf('USDC', 'ETH', held + 1n))).rejects.toMatchObject({
      code: 'not-enough-balance',
      facts: { balance: String(held), amount: String(held + 1n) },
    })
  })

  it('rejects a native balance that does not cover amount and fee, with the amounts', async () => {
    const held = await stage.localnet.client.getBalance({ address: browser.account })
    const error = await createWorker(browser)
      .review(tradeOf('ETH', 'USDC', held - 1n))
      .catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code: 'not-enough-gas' })
    const { coin, value, fee, missing } = (error as WalletError).facts
    expect([coin, value]).toEqual([String(held), String(held - 1n)])
    expect(BigInt(missing!)).toBe(BigInt(fee!) - 1n)
  })

  it('rejects a service whose router is not the one set for the network', async () => {
    const { router } = stage.localnet.contracts
    const right = await createBrowser({ ...stage, network: { ...stage.network, router } })
    expect((await createWorker(right).review(tradeOf('ETH', 'USDC', parseEther('0.1')))).router).toBe(router)
    const wrong = await createBrowser({ ...stage, network: { ...stage.network, router: tokenOf('USDC') } })
    await expect(createWorker(wrong).review(tradeOf('ETH', 'USDC', parseEther('0.1')))).rejects.toMatchObject(
      {
        code: 'unsafe-transaction',
        facts: { fact: 'router', expected: tokenOf('USDC'), found: router },
      },
    )
  })

  it('uses the cached token list without waiting for the service', async () => {
    const api = await createWorker(browser).networks.api(31337)
    const list = await api.tokens()
    const never = () => new Promise<never>(() => {})
    const worker = createWorker(browser, {
      cached: async () => list,
      api: (api) => ({ ...api, tokens: never }),
    })
    const { permission } = await worker.review(tradeOf('USDC', 'DAI', 1_000_000n))
    expect(permission?.via).toBe('permit')
  })
})

describe('review with a requested minimum', () => {
  it('keeps the minimum of the slippage when it is higher', async () => {
    const { quote, floor } = await review(1n)
    expect(floor).toBe(computeMinReturn(quote.returns, 50))
  })

  it('raises minReturn to the requested minimum', async () => {
    const { quote } = await review()
    const promised = quote.returns - 1n
    const lifted = await review(promised, 300)
    expect(lifted.floor).toBe(promised)
    expect(lifted.quote.returns).toBeGreaterThanOrEqual(promised)
  })

  it('accepts a minimum equal to the quote', async () => {
    const { quote } = await review()
    expect((await review(quote.returns)).floor).toBe(quote.returns)
  })

  it('rejects a minimum above the quote, with both amounts', async () => {
    const { quote } = await review()
    await expect(review(quote.returns + 1n)).rejects.toMatchObject({
      code: 'below-floor',
      facts: { expected: String(quote.returns + 1n), found: String(quote.returns) },
    })
  })

  it('rejects a price that falls between the two builds', async () => {
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

  it('rejects a service that does not raise minReturn', async () => {
    const deaf = (api: SwapApi): SwapApi => ({
      ...api,
      swap: (wanted, { leastReturn: _unheard, ...options }) =>
        api.swap(wanted, { ...options, slippageBps: 300 }),
    })
    const { quote } = await review()
    await expect(review(quote.returns - 1n, 300, deaf)).rejects.toMatchObject({ code: 'below-floor' })
  })

  it('executes a swap with the raised minReturn', async () => {
    const worker = createWorker(browser)
    const { quote } = await review()
    const lifted = await review(quote.returns - 10n, 300)
    const intent = accept(browser.account, trade, lifted, 300)
    await worker.swap(intent)
    const { outcome } = await worker.over(intent.id)
    expect(outcome.status).toBe('done')
    if (outcome.status === 'done') expect(outcome.received).toBeGreaterThanOrEqual(quote.returns - 10n)
    // The service may not know the new price yet.
    await stage.service.engine.refresh()
  })
})

describe('review at an accepted price', () => {
  const usdcOf = (changes: BalanceChange[]) => changes.find(({ token }) => token.address === trade.buy)
  // A fee that the service does not know.
  const taxing = (chain: Chain): Chain => ({
    ...chain,
    async simulate(...asked) {
      const { simulation, ...rest } = await chain.simulate(...asked)
      if (simulation.status !== 'succeeds') return { simulation, ...rest }
      const bought = usdcOf(simulation.changes)
      const changes = simulation.changes.map((one) =>
        one === bought ? { ...one, amount: (one.amount * 95n) / 100n } : one,
      )
      return { simulation: { ...simulation, changes }, ...rest }
    },
  })
  const at = (terms: Wanted) => createWorker(browser, { chain: taxing }).review(trade, terms)

  it('uses the accepted minimum when the simulation returns less than the quote', async () => {
    const blocked = await at({ slippageBps: 50 })
    const returns = simulatedReturns(blocked.verdict, trade)
    const atLeast = computeMinReturn(returns ?? 0n, 50)
    expect(atLeast).toBeGreaterThan(0n)
    expect((await at({ slippageBps: 50, atLeast })).verdict.status).toBe('below-floor')
    const accepted = await at({ slippageBps: 50, atLeast, isAccepted: true })
    expect(accepted).toMatchObject({ floor: atLeast, verdict: { status: 'matches', received: returns } })
  })

  it('stays blocked when the simulation returns less than the accepted minimum', async () => {
    const { quote } = await review()
    const atLeast = (quote.returns * 97n) / 100n
    const { verdict, floor } = await at({ slippageBps: 50, atLeast, isAccepted: true })
    expect([verdict.status, floor]).toEqual(['below-floor', atLeast])
  })

  it('uses the minimum of the slippage when it is higher', async () => {
    const worker = createWorker(browser)
    const { quote, floor } = await worker.review(trade, { slippageBps: 50, atLeast: 1n, isAccepted: true })
    expect(floor).toBe(computeMinReturn(quote.returns, 50))
  })
})

it('reports the returned amount when only a gas estimate finds it below minReturn', async () => {
  const { floor } = await review()
  const returned = floor - 1n
  const facts = { error: 'ReturnTooLow', returned: String(returned), minimum: String(floor) }
  const chain = (real: Chain): Chain => ({
    ...real,
    simulate: async () => ({ simulation: { status: 'unknown', reason: 'It cannot simulate' }, gas: [] }),
    estimateGas: () => Promise.reject(new WalletError('would-fail', 'ReturnTooLow', facts)),
  })
  const { verdict } = await createWorker(browser, { chain }).review(trade, { slippageBps: 50 })
  expect(verdict).toMatchObject({ status: 'below-floor', received: returned })
})
