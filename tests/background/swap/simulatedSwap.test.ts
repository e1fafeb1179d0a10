import { parseEther } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Trade } from '../../../src/domain/swap/quote.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import type { Chain } from '../../../src/evm/client.ts'
import {
  accept,
  type Browser,
  createBrowser,
  createWorker,
  useStage,
} from '../../helpers/background/worker.ts'
import { readWord } from '../../helpers/service/lyingService.ts'

const stage = useStage()
let browser: Browser

beforeEach(async () => {
  browser = await createBrowser(stage)
})

const friend: Address = `0x${'f1'.repeat(20)}`

const trade = (sell: Address, buy: Address, amount: bigint): Trade => ({ chainId: 31337, sell, buy, amount })
const nonce = () => stage.localnet.client.getTransactionCount({ address: browser.account })

describe('simulation of a swap', () => {
  const seen =
    (verdict: 'reverts' | 'unknown') =>
    (chain: Chain): Chain => ({
      ...chain,
      simulate: async () => ({ simulation: { status: verdict, reason: 'It says so' }, gas: [] }),
    })

  it('reports a revert in the review, and fails the swap before it is signed', async () => {
    const wanted = trade(nativeTokenAddress, stage.localnet.tokens.USDC, parseEther('0.1'))
    const bad = createWorker(browser, { chain: seen('reverts') })
    const review = await bad.review(wanted)
    expect(review.verdict).toEqual({ status: 'reverts', reason: 'It says so' })
    const intent = accept(browser.account, wanted, review)
    await bad.swap(intent)
    expect((await bad.over(intent.id)).outcome).toMatchObject({ status: 'failed', code: 'would-fail' })
    expect(await nonce()).toBe(0)
  })

  it('signs the general entry point when the simulation is unavailable', async () => {
    const wanted = trade(nativeTokenAddress, stage.localnet.tokens.USDC, parseEther('0.1'))
    const blind = createWorker(browser, { chain: seen('unknown') })
    const review = await blind.review(wanted)
    expect(review.verdict.status).toBe('unknown')
    const intent = accept(browser.account, wanted, review)
    await blind.swap(intent)
    expect((await blind.over(intent.id)).outcome.status).toBe('done')
  })

  it('rejects a pinned router when the simulation is unavailable', async () => {
    await stage.localnet.client.setCode({ address: friend, bytecode: '0x00' })
    const network = { ...stage.network, router: friend }
    const pinned = await createBrowser({ ...stage, network })
    const wanted = trade(nativeTokenAddress, stage.localnet.tokens.USDC, parseEther('0.1'))
    const blind = createWorker(pinned, {
      api: (api) => ({
        ...api,
        spender: async () => friend,
        swap: async (...asked) => ({ ...(await api.swap(...asked)), to: friend }),
      }),
      chain: seen('unknown'),
    })
    const refused = { code: 'unsafe-transaction', facts: { fact: 'untried', reason: 'It says so' } }
    await expect(blind.review(wanted)).rejects.toMatchObject(refused)
    const honest = await createWorker(browser).review(wanted)
    const intent = accept(pinned.account, wanted, { ...honest, router: friend })
    await blind.swap(intent)
    expect((await blind.over(intent.id)).outcome).toMatchObject(refused)
    await stage.localnet.client.setCode({ address: friend, bytecode: '0x' })
  })

  it('rejects a short entry point when contracts can detect the simulation', async () => {
    const { USDC } = stage.localnet.tokens
    const lax = await createBrowser(stage, { strictCalldata: false })
    const amount = parseEther('0.1')
    const narrow = createWorker(lax, {
      api: (api) => ({
        ...api,
        async swap(...asked) {
          const honest = await api.swap(...asked)
          const words = [readWord(honest.data, 'floor'), 1n].map((word) =>
            word.toString(16).padStart(64, '0'),
          )
          // ethUnoswap names no token.
          return { ...honest, data: `0xa76dfc3b${words.join('')}` }
        },
      }),
      chain: (chain) => ({
        ...chain,
        estimateGas: async () => 100_000n,
        async simulate() {
          const changes = [{ token: await chain.token(USDC), amount: 10n ** 12n }]
          return { simulation: { status: 'succeeds', changes, grants: [], isNarrow: true }, gas: [] }
        },
      }),
    })
    const wanted = trade(nativeTokenAddress, USDC, amount)
    const refused = { code: 'unsafe-transaction', facts: { fact: 'untried' } }
    await expect(narrow.review(wanted)).rejects.toMatchObject(refused)
    const honest = await createWorker(lax).review(wanted)
    const intent = accept(lax.account, wanted, honest)
    await narrow.swap(intent)
    expect((await narrow.over(intent.id)).outcome).toMatchObject(refused)
  })

  it('rejects a swap whose contracts prevent the simulation, even at the general entry point', async () => {
    const wanted = trade(nativeTokenAddress, stage.localnet.tokens.USDC, parseEther('0.1'))
    const hidden = createWorker(browser, {
      chain: (chain) => ({
        ...chain,
        simulate: async () => ({
          simulation: { status: 'unknown', reason: 'Too many tokens take part in it', isCrowded: true },
          gas: [],
        }),
      }),
    })
    await expect(hidden.review(wanted)).rejects.toMatchObject({ code: 'unexpected-change' })
    const intent = accept(browser.account, wanted, await createWorker(browser).review(wanted))
    await hidden.swap(intent)
    expect((await hidden.over(intent.id)).outcome).toMatchObject({ code: 'unexpected-change' })
    expect(await nonce()).toBe(0)
  })

  it('repeats the simulation with each new block, and not in between', async () => {
    let simulated = 0
    const counting = createWorker(browser, {
      chain: (chain) => ({
        ...chain,
        simulate(...asked) {
          simulated++
          return chain.simulate(...asked)
        },
      }),
    })
    const { client, tokens } = stage.localnet
    const id = 'ab'.repeat(16)
    const sent = trade(nativeTokenAddress, tokens.USDC, parseEther('0.1'))
    await stage.stopMining()
    const review = await counting.review(sent, { id })
    expect(review.verdict.status).toBe('matches')
    expect([await counting.recheck(id), simulated]).toEqual([review.verdict, 1])
    await client.setBalance({ address: browser.account, value: parseEther('0.05') })
    await client.mine({ blocks: 1 })
    expect(await counting.recheck(id)).toMatchObject({ status: 'reverts' })
    expect(await counting.recheck(id)).toMatchObject({ status: 'reverts' })
    expect(simulated).toBe(2)
    await stage.startMining()
    expect(await counting.recheck('cd'.repeat(16))).toBeUndefined()
    expect(await createWorker(browser).recheck(id)).toBeUndefined()
  })

  it('keeps the revert of the gas estimate after a new block', async () => {
    const doubting = createWorker(browser, {
      chain: (chain) => ({
        ...chain,
        estimateGas: () => Promise.reject(new WalletError('reverted', 'No.', { reason: 'It looked around' })),
      }),
    })
    const id = '5a'.repeat(16)
    const bad = { status: 'reverts', reason: 'It looked around' }
    const wanted = trade(nativeTokenAddress, stage.localnet.tokens.USDC, parseEther('0.1'))
    expect((await doubting.review(wanted, { id })).verdict).toEqual(bad)
    await stage.localnet.client.mine({ blocks: 1 })
    expect(await doubting.recheck(id)).toEqual(bad)
  })

  it('drops the simulation five minutes after the review', async () => {
    let now = Date.now()
    const slow = createWorker(browser, { now: () => now })
    const id = 'ef'.repeat(16)
    await slow.review(trade(nativeTokenAddress, stage.localnet.tokens.USDC, parseEther('0.1')), { id })
    now += 5 * 60_000
    expect(await slow.recheck(id)).toBeDefined()
    now += 1
    expect(await slow.recheck(id)).toBeUndefined()
  })
})
