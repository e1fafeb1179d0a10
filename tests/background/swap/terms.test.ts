import { erc20Abi, parseAbi, parseEther } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SwapApi } from '../../../src/api/client.ts'
import type { Trade } from '../../../src/domain/swap/quote.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import type { Chain } from '../../../src/evm/client.ts'
import { once } from '../../helpers/background/swapActs.ts'
import {
  accept,
  type Browser,
  createBrowser,
  createWorker,
  intend,
  useStage,
  type Worker,
} from '../../helpers/background/worker.ts'

const stage = useStage()
let browser: Browser
let worker: Worker

beforeEach(async () => {
  browser = await createBrowser(stage)
  worker = createWorker(browser)
})

const friend: Address = `0x${'f1'.repeat(20)}`

const trade = (sell: Address, buy: Address, amount: bigint): Trade => ({ chainId: 31337, sell, buy, amount })
const balance = (token: Address, owner: Address = browser.account) =>
  token === nativeTokenAddress
    ? stage.localnet.client.getBalance({ address: owner })
    : stage.localnet.client.readContract({
        address: token,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [owner],
      })
const nonce = () => stage.localnet.client.getTransactionCount({ address: browser.account })

describe('recipient', () => {
  it('sends bought tokens and native tokens to the recipient as simulated in the review', async () => {
    const { USDC } = stage.localnet.tokens
    for (const [sell, buy, amount] of [
      [nativeTokenAddress, USDC, parseEther('0.1')],
      [USDC, nativeTokenAddress, 10_000_000n],
    ] as const) {
      const wanted = trade(sell, buy, amount)
      // The service may not know the new price yet.
      await stage.service.engine.refresh()
      const review = await worker.review(wanted, { receiver: friend })
      expect(review.verdict).toMatchObject({ status: 'matches', received: review.quote.returns })
      const [had, own] = [await balance(buy, friend), await balance(USDC)]
      const intent = accept(browser.account, wanted, review, { receiver: friend })
      await worker.swap(intent)
      const { outcome } = await worker.over(intent.id)
      expect(outcome).toEqual({ status: 'done', received: (await balance(buy, friend)) - had })
      if (buy === USDC) expect(await balance(USDC)).toBe(own)
    }
  })

  it('rejects a service that ignores the recipient', async () => {
    const wanted = trade(nativeTokenAddress, stage.localnet.tokens.USDC, parseEther('0.1'))
    const deaf = createWorker(browser, {
      api: (api): SwapApi => ({
        ...api,
        swap: (asked, { receiver: _unheard, ...options }) => api.swap(asked, options),
      }),
    })
    await expect(deaf.review(wanted, { receiver: friend })).rejects.toMatchObject({
      code: 'unsafe-transaction',
      facts: { fact: 'receiver' },
    })
  })
})

describe('partial fill', () => {
  const pool = () => stage.localnet.pools.find(({ title }) => title === 'WETH/USDC v3 0.05 %')!.address

  it('sells a part when a pool fails on the way, and reports the amount spent', async () => {
    const { client, tokens } = stage.localnet
    const mint = parseAbi(['function mint(address to, uint256 value)'])
    const amount = 3_000_000n * 10n ** 6n
    const args = [browser.account, amount] as const
    await client.writeContractSync({ address: tokens.USDC, abi: mint, functionName: 'mint', args })
    const wanted = trade(tokens.USDC, tokens.WETH, amount)
    const terms = { slippageBps: 100, allowPartialFill: true, options: { complexityLevel: 0 } }
    const intent = accept(browser.account, wanted, await worker.review(wanted, terms), terms)
    const code = await client.getCode({ address: pool() })
    const breaking = createWorker(browser, {
      gate: once('chain.send', () => client.setCode({ address: pool(), bytecode: '0x5f5ffd' })),
    })
    const [sold, bought] = [await balance(tokens.USDC), await balance(tokens.WETH)]
    await breaking.swap(intent)
    const { outcome } = await breaking.over(intent.id)
    await client.setCode({ address: pool(), bytecode: code! })
    const spent = sold - (await balance(tokens.USDC))
    expect(outcome).toEqual({ status: 'done', received: (await balance(tokens.WETH)) - bought, spent })
    expect(spent).toBeLessThan(amount)
  })

  it('rejects a partial fill that the user did not allow', async () => {
    const partly = createWorker(browser, {
      api: (api): SwapApi => ({
        ...api,
        swap: (asked, options) => api.swap(asked, { ...options, allowPartialFill: true }),
      }),
    })
    const wanted = trade(nativeTokenAddress, stage.localnet.tokens.USDC, parseEther('0.1'))
    await expect(partly.review(wanted)).rejects.toMatchObject({ facts: { fact: 'flags' } })
  })
})

describe('route options', () => {
  it('sends route options to the service at the review and at signing', async () => {
    const asked: unknown[] = []
    const hearing = createWorker(browser, {
      api: (api): SwapApi => ({
        ...api,
        swap(wanted, options) {
          asked.push(options.excludedProtocols)
          return api.swap(wanted, options)
        },
      }),
    })
    const options = { excludedProtocols: ['SUSHI'] }
    const intent = await intend(
      hearing,
      browser,
      trade(nativeTokenAddress, stage.localnet.tokens.USDC, parseEther('0.1')),
      {
        options,
      },
    )
    await hearing.swap(intent)
    const done = await hearing.over(intent.id)
    expect([done.outcome.status, done.intent.options]).toEqual(['done', options])
    expect(asked.length).toBeGreaterThan(1)
    expect(new Set(asked.map(String))).toEqual(new Set(['SUSHI']))
  })
})

describe('custom speed', () => {
  it('signs the custom fees and computes the network fee from them', async () => {
    const speed = { maxFeePerGas: 7_000_000_000n, maxPriorityFeePerGas: 3_000_000_000n }
    const wanted = trade(nativeTokenAddress, stage.localnet.tokens.USDC, parseEther('0.1'))
    const review = await worker.review(wanted, { speed })
    expect(review.networkFee).toBe(review.gas * speed.maxFeePerGas)
    const { slow, normal, fast } = review.speeds
    expect([slow, normal, fast].map((at) => at.networkFee)).toEqual(
      [slow, normal, fast].map((at) => review.gas * at.maxFeePerGas),
    )
    const intent = accept(browser.account, wanted, review, { speed })
    await worker.swap(intent)
    const { steps, paid } = await worker.over(intent.id)
    expect(await stage.localnet.client.getTransaction({ hash: steps[0]!.hash! })).toMatchObject(speed)
    expect(paid).toBeGreaterThan(0n)
    // The likely fee, within a tenth.
    expect(Math.abs(Number(review.expectedFee) / Number(paid) - 1)).toBeLessThan(0.1)
    expect(review.expectedFee).toBeLessThan(review.networkFee)
  })
})

describe('L1 fee on a rollup', () => {
  it('adds the L1 fee to the network fee, and rejects a swap whose fee cap does not cover it', async () => {
    const bytes: number[] = []
    const chain = (real: Chain): Chain => ({
      ...real,
      async l1Fee(length) {
        bytes.push(length)
        return 10n ** 15n
      },
    })
    const rollup = createWorker(browser, { chain })
    const review = await rollup.review(
      trade(nativeTokenAddress, stage.localnet.tokens.USDC, parseEther('0.1')),
    )
    expect(review.l1Fee).toBe(10n ** 15n)
    expect(review.networkFee).toBe(review.gas * review.speeds.normal.maxFeePerGas + review.l1Fee)
    expect(bytes[0]).toBeGreaterThan(500)
    const wanted = trade(nativeTokenAddress, stage.localnet.tokens.USDC, parseEther('0.1'))
    const intent = await intend(worker, browser, wanted)
    await rollup.swap(intent)
    expect((await rollup.over(intent.id)).outcome).toMatchObject({ code: 'stale-review' })
  })
})

describe('access list', () => {
  it('uses an access list only when it makes the swap cheaper', async () => {
    const asking = await createBrowser(stage, { accessLists: true })
    const wanted = trade(nativeTokenAddress, stage.localnet.tokens.USDC, parseEther('0.1'))
    for (const saves of [1_000n, -1_000n]) {
      const weighing = createWorker(asking, {
        chain: (chain) => ({
          ...chain,
          async estimateGas(call) {
            const { accessList, ...plain } = call
            return (await chain.estimateGas(plain)) - (accessList === undefined ? 0n : saves)
          },
        }),
      })
      const review = await weighing.review(wanted)
      const { gasWith, gasWithout } = review.accessList!
      expect(gasWithout - gasWith).toBe(saves)
      const intent = accept(asking.account, wanted, review)
      await weighing.swap(intent)
      const { outcome, steps } = await weighing.over(intent.id)
      expect(outcome.status).toBe('done')
      const { accessList } = await stage.localnet.client.getTransaction({ hash: steps[0]!.hash! })
      expect((accessList ?? []).length > 0).toBe(saves > 0n)
    }
  })

  it('creates no access list by default', async () => {
    const review = await worker.review(
      trade(nativeTokenAddress, stage.localnet.tokens.USDC, parseEther('0.1')),
    )
    expect(review.accessList).toBeUndefined()
  })
})

describe('figures of a review', () => {
  it('reports the network fee in the bought token, and the price impact', async () => {
    const { USDC, WETH, DAI } = stage.localnet.tokens
    const impacted = createWorker(browser, { impact: async () => 17 })
    const sold = await impacted.review(trade(nativeTokenAddress, USDC, parseEther('1')))
    expect(sold.impactBps).toBe(17)
    expect(sold.networkFeeWorth).toBe((sold.expectedFee * sold.quote.returns) / parseEther('1'))
    const bought = await worker.review(trade(USDC, WETH, 10_000_000n))
    expect([bought.networkFeeWorth, bought.impactBps]).toEqual([bought.expectedFee, undefined])
    const afterForm = createWorker(browser, { recent: async () => ({ returns: 10_000_000n }) })
    const neither = await afterForm.review(trade(USDC, DAI, 10_000_000n))
    expect(neither.networkFeeWorth).toBeGreaterThan(((neither.expectedFee * 29n) / 10n) * 1_000n)
    const mute = createWorker(browser, {
      api: (api) => ({ ...api, quote: () => Promise.reject(new WalletError('no-route', 'None.')) }),
      impact: () => Promise.reject(new WalletError('no-route', 'None.')),
    })
    const quiet = await mute.review(trade(USDC, DAI, 10_000_000n))
    expect([quiet.networkFeeWorth, quiet.impactBps]).toEqual([undefined, undefined])
  })

  it('completes the review without figures that time out', async () => {
    const { USDC, DAI } = stage.localnet.tokens
    const never = () => new Promise<never>(() => undefined)
    const silent = createWorker(browser, {
      api: (api) => ({ ...api, quote: never }),
      impact: never,
      softlyMs: 50,
    })
    const review = await silent.review(trade(USDC, DAI, 10_000_000n))
    expect([review.networkFeeWorth, review.impactBps]).toEqual([undefined, undefined])
  })

  it('requests no further quotes while the service is busy', async () => {
    const { USDC, DAI } = stage.localnet.tokens
    let asked = 0
    const busy = createWorker(browser, {
      recent: async () => ({ returns: 10_000_000n }),
      api: (api) => ({
        ...api,
        quote() {
          asked++
          return Promise.reject(new WalletError('service-busy', 'Later.', { retryAfterMs: '30000' }))
        },
      }),
    })
    for (let time = 0; time < 2; time++) {
      const { networkFeeWorth } = await busy.review(trade(USDC, DAI, 10_000_000n))
      expect([networkFeeWorth, asked]).toEqual([undefined, 1])
    }
  })

  it('rejects an unknown router', async () => {
    const strange = createWorker(browser, {
      api: (api) => ({
        ...api,
        spender: async () => friend,
        swap: async (...asked) => ({ ...(await api.swap(...asked)), to: friend }),
      }),
    })
    await expect(
      strange.review(trade(nativeTokenAddress, stage.localnet.tokens.USDC, parseEther('0.1'))),
    ).rejects.toMatchObject({
      code: 'unknown-router',
      facts: { router: friend, chainId: '31337' },
    })
  })
})

describe('wrapping', () => {
  it('wraps and unwraps one to one, in one transaction each, without the service', async () => {
    const { WETH } = stage.localnet.tokens
    const alone = createWorker(browser, {
      api: () => new Proxy({} as SwapApi, { get: () => () => Promise.reject(new Error('It was asked.')) }),
    })
    const amount = parseEther('1')
    const had = await balance(WETH)
    for (const [kind, sell, buy, after] of [
      ['wrap', nativeTokenAddress, WETH, had + amount],
      ['unwrap', WETH, nativeTokenAddress, had],
    ] as const) {
      const wanted = trade(sell, buy, amount)
      const review = await alone.review(wanted)
      expect(review).toMatchObject({
        floor: amount,
        router: WETH,
        steps: [kind],
        permissions: [],
        verdict: { status: 'matches', received: amount },
        quote: { returns: amount, route: [{ token: sell, hops: [{ buy, sources: [{ name: 'WETH' }] }] }] },
      })
      expect(review.gas).toBeLessThan(80_000n)
      const intent = accept(browser.account, wanted, review)
      await alone.swap(intent)
      const done = await alone.over(intent.id)
      expect(done).toMatchObject({ outcome: { status: 'done', received: amount }, steps: [{ kind }] })
      expect(done.paid).toBeLessThanOrEqual(review.networkFee)
      expect(Math.abs(Number(review.expectedFee) / Number(done.paid) - 1)).toBeLessThan(0.1)
      expect(await balance(WETH)).toBe(after)
    }
    expect(await nonce()).toBe(2)
  })

  it('rejects decimals of the token list that differ from the contract', async () => {
    const { WETH } = stage.localnet.tokens
    const listed = await (await worker.networks.chain(31337)).token(WETH)
    const trades = [trade(nativeTokenAddress, WETH, 1_000n), trade(WETH, nativeTokenAddress, 1_000n)]
    for (const wanted of trades) {
      const lied = createWorker(browser, { cached: async () => [{ ...listed, decimals: 17 }] })
      await expect(lied.review(wanted)).rejects.toMatchObject({
        code: 'unsafe-transaction',
        facts: { fact: 'decimals', expected: '18', found: '17' },
      })
    }
    expect((await createWorker(browser, { cached: async () => [listed] }).review(trades[0]!)).floor).toBe(
      1_000n,
    )
  })

  it('rejects an amount above the balance', async () => {
    const { WETH } = stage.localnet.tokens
    const held = await balance(WETH)
    await expect(worker.review(trade(WETH, nativeTokenAddress, held + 1n))).rejects.toMatchObject({
      code: 'not-enough-balance',
    })
    const coins = await balance(nativeTokenAddress)
    await expect(worker.review(trade(nativeTokenAddress, WETH, coins))).rejects.toMatchObject({
      code: 'not-enough-gas',
    })
  })

  it('wraps for another recipient through the router', async () => {
    const { WETH } = stage.localnet.tokens
    const intent = await intend(worker, browser, trade(nativeTokenAddress, WETH, 1_000n), {
      receiver: friend,
    })
    expect(intent.router).toBe(stage.localnet.contracts.router)
    const had = await balance(WETH, friend)
    await worker.swap(intent)
    expect((await worker.over(intent.id)).outcome).toEqual({ status: 'done', received: 1_000n })
    expect((await balance(WETH, friend)) - had).toBe(1_000n)
  })
})
