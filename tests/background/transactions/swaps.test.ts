import { erc20Abi, parseEther } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SwapApi } from '../../../src/api/client.ts'
import type { SwapTransaction } from '../../../src/domain/swap/quote.ts'
import type { Address, Hex } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { createSwapActs, once, usdc } from '../../helpers/background/swapActs.ts'
import {
  accept,
  type Browser,
  createBrowser,
  createWorker,
  dataKey,
  type Gate,
  intend,
  until,
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

const { tokenOf, trade, balance, allowance, nonce } = createSwapActs(stage, () => browser)

const lying =
  (change: (transaction: SwapTransaction) => Partial<SwapTransaction>) =>
  (api: SwapApi): SwapApi => ({
    ...api,
    async swap(...asked) {
      const transaction = await api.swap(...asked)
      return { ...transaction, ...change(transaction) }
    },
  })

describe('swaps', () => {
  it('approves the exact amount, swaps and leaves no allowance', async () => {
    const had = await balance('WETH')
    const intent = await intend(worker, browser, trade('DAI', 'WETH', parseEther('100')))
    const stored = await worker.swap(intent)
    expect(stored).toMatchObject({ intent, steps: [], outcome: { status: 'working' } })
    const swap = await worker.over(intent.id)
    const received = (await balance('WETH')) - had
    expect(received).toBeGreaterThanOrEqual(intent.floor)
    expect(swap.outcome).toEqual({ status: 'done', received })
    expect(swap.steps.map(({ kind }) => kind)).toEqual(['approve', 'swap'])
    expect(await allowance('DAI')).toBe(0n)
    expect(await nonce()).toBe(2)
  })

  it('notifies views of the states from waiting to final', async () => {
    const intent = await intend(worker, browser, trade('DAI', 'WETH', parseEther('100')))
    await worker.swap(intent)
    await worker.over(intent.id)
    await stage.localnet.client.mine({ blocks: 1 })
    await until(
      async () => worker.heard.at(-1)?.steps.every(({ state }) => state === 'final') || undefined,
      'finality',
    )
    const states = worker.heard.map(({ steps }) => steps.map(({ state }) => state).join(' '))
    expect(states.slice(0, 4)).toEqual(['', 'waiting waiting', 'signed waiting', 'sent waiting'])
    expect(states).toContain('mined signed')
    expect(states).toContain('mined sent')
    expect(states.at(-1)).toBe('final final')
  })

  it('sells native tokens in one transaction', async () => {
    const had = await balance('USDC')
    const intent = await intend(worker, browser, trade('ETH', 'USDC', parseEther('0.5')))
    await worker.swap(intent)
    const swap = await worker.over(intent.id)
    expect(swap.outcome).toEqual({ status: 'done', received: (await balance('USDC')) - had })
    expect(await nonce()).toBe(1)
  })

  it('reports the received native tokens to the wei', async () => {
    const had = await balance('ETH')
    const intent = await intend(worker, browser, trade('DAI', 'ETH', parseEther('300')))
    await worker.swap(intent)
    const swap = await worker.over(intent.id)
    const receipts = await Promise.all(
      swap.steps.map(({ hash }) => stage.localnet.client.getTransactionReceipt({ hash: hash! })),
    )
    const fees = receipts.reduce(
      (sum, { gasUsed, effectiveGasPrice }) => sum + gasUsed * effectiveGasPrice,
      0n,
    )
    expect(swap.outcome).toEqual({ status: 'done', received: (await balance('ETH')) - had + fees })
    expect(fees).toBeLessThanOrEqual(intent.feeCap)
  })

  it('resets the old allowance of a USDT-like token first', async () => {
    const { client, contracts, tokens } = stage.localnet
    await client.impersonateAccount({ address: browser.account })
    await client.writeContractSync({
      account: browser.account,
      address: tokens.USDT,
      abi: erc20Abi,
      functionName: 'approve',
      args: [contracts.router, 5n],
    })
    const had = await balance('USDC')
    const intent = await intend(worker, browser, trade('USDT', 'USDC', usdc(50)))
    await worker.swap(intent)
    const swap = await worker.over(intent.id)
    expect(swap.steps.map(({ kind }) => kind)).toEqual(['reset', 'approve', 'swap'])
    expect(swap.outcome).toEqual({ status: 'done', received: (await balance('USDC')) - had })
    expect(await allowance('USDT')).toBe(0n)
  })

  it('reports the received amount of a fee-on-transfer token', async () => {
    const had = await balance('DTT')
    const wanted = trade('ETH', 'DTT', parseEther('0.1'))
    const intent = accept(browser.account, wanted, await worker.review(wanted, 300), 300)
    await worker.swap(intent)
    const swap = await worker.over(intent.id)
    expect(swap.outcome).toEqual({ status: 'done', received: (await balance('DTT')) - had })
  })

  it('executes a swap once when its id is submitted repeatedly', async () => {
    const intent = await intend(worker, browser, trade('ETH', 'USDC', parseEther('0.1')))
    const answers = await Promise.all(Array.from({ length: 10 }, () => worker.swap(intent)))
    expect(new Set(answers.map(({ createdAt }) => createdAt)).size).toBe(1)
    const swap = await worker.over(intent.id)
    expect(await worker.swap(intent)).toMatchObject({ outcome: swap.outcome })
    expect(await createWorker(browser).swap(intent)).toMatchObject({ outcome: swap.outcome })
    expect(await nonce()).toBe(1)
  })

  it('executes several swaps of one account without nonce gaps or collisions', async () => {
    const intents = await Promise.all(
      (['USDC', 'DAI', 'USDT', 'LINK', 'WBTC'] as const).map((buy) =>
        intend(worker, browser, trade('ETH', buy, parseEther('0.1'))),
      ),
    )
    for (const intent of intents) await worker.swap(intent)
    const swaps = await Promise.all(intents.map(({ id }) => worker.over(id)))
    expect(swaps.map(({ outcome }) => outcome.status)).toEqual(Array(5).fill('done'))
    expect(await nonce()).toBe(5)
  })

  it('rejects an unknown account, a watch-only account and a locked wallet', async () => {
    const intent = await intend(worker, browser, trade('ETH', 'USDC', parseEther('0.1')))
    const stranger = `0x${'77'.repeat(20)}` as Address
    await expect(worker.swap({ ...intent, account: stranger })).rejects.toMatchObject({
      code: 'invalid-input',
    })
    await worker.vault.addWatched(stranger)
    await expect(worker.swap({ ...intent, account: stranger })).rejects.toMatchObject({ code: 'watch-only' })
    await worker.vault.lock()
    await expect(worker.swap(intent)).rejects.toMatchObject({ code: 'locked' })
    expect(await worker.list()).toEqual([])
  })
})

describe('interrupted swaps', () => {
  it('waits for the unlock and then continues', async () => {
    const locking = createWorker(browser, { gate: once('chain.send', () => worker.vault.lock()) })
    const intent = await intend(locking, browser, trade('DAI', 'WETH', parseEther('10')))
    await locking.swap(intent)
    const waiting = await locking.over(intent.id)
    expect(waiting.outcome).toEqual({ status: 'needs-unlock' })
    expect(waiting.steps.at(-1)).toEqual({ kind: 'swap', state: 'waiting' })
    await locking.resume()
    expect(await nonce()).toBe(1)

    await locking.vault.unlock(dataKey)
    await until(async () => {
      await locking.resume()
      const [swap] = await locking.list()
      return swap?.outcome.status === 'done' || undefined
    }, 'the swap to be done')
    expect(await nonce()).toBe(2)
  })

  it('does not sign after ten minutes, and keeps the approval', async () => {
    let now = Date.now()
    const gate = once('chain.send', async () => {
      now += 10 * 60_000 + 1
    })
    const slow = createWorker(browser, { gate, now: () => now })
    const intent = await intend(slow, browser, trade('DAI', 'WETH', parseEther('10')))
    await slow.swap(intent)
    const swap = await slow.over(intent.id)
    expect(swap.outcome).toMatchObject({
      status: 'failed',
      code: 'stale-review',
      message: expect.stringContaining('The approval before it stands; the funds are as they were.'),
    })
    expect(await nonce()).toBe(1)
    expect(await allowance('DAI')).toBe(parseEther('10'))
  })
})

describe('swaps with an approval', () => {
  it('signs nothing when the total fee, including the gas of the permit, exceeds the fee cap', async () => {
    const speed = { maxFeePerGas: 7_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }
    // One pool: no route uses less gas by as much as the permit.
    const options = { complexityLevel: 0, parts: 1, mainRouteParts: 1 }
    const wanted = trade('WETH', 'DAI', parseEther('0.1'))
    const terms = { speed, options, permission: { via: 'permit2', amount: wanted.amount } } as const
    const review = await worker.review(wanted, terms)
    expect(review.steps).toEqual(['approve', 'swap'])
    const feeCap = review.networkFee - 40_000n * speed.maxFeePerGas
    const intent = { ...accept(browser.account, wanted, review, terms), feeCap }
    await worker.swap(intent)
    expect((await worker.over(intent.id)).outcome).toMatchObject({ status: 'failed', code: 'stale-review' })
    expect(await nonce()).toBe(0)
  })
})

describe('dishonest swap service', () => {
  const thief = '0xbad0000000000000000000000000000000000002'
  const withWord = (data: Hex, index: number, word: string): Hex => {
    const at = 10 + 64 * index
    return `${data.slice(0, at)}${word.padStart(64, '0')}${data.slice(at + 64)}` as Hex
  }
  const lies: [string, (transaction: SwapTransaction) => Partial<SwapTransaction>][] = [
    ['another router', () => ({ to: thief })],
    ['another sender', () => ({ from: thief })],
    ['coins on top', ({ value }) => ({ value: value + 1n })],
    ['another token to sell', ({ data }) => ({ data: withWord(data, 1, tokenOf('WETH').slice(2)) })],
    ['another token to buy', ({ data }) => ({ data: withWord(data, 2, thief.slice(2)) })],
    ['another receiver', ({ data }) => ({ data: withWord(data, 4, thief.slice(2)) })],
    ['another amount', ({ data }) => ({ data: withWord(data, 5, 'ff') })],
    ['a flag', ({ data }) => ({ data: withWord(data, 7, '1') })],
    ['bytes behind', ({ data }) => ({ data: `${data}00` })],
    ['another function', ({ data }) => ({ data: `0xa9059cbb${data.slice(10)}` })],
    ['more gas than a block has', () => ({ gas: 60_000_000n })],
  ]

  it.each(lies)('rejects a response with %s at the review', async (_name, lie) => {
    const lied = createWorker(browser, { api: lying(lie) })
    await expect(lied.review(trade('ETH', 'USDC', parseEther('0.1')))).rejects.toMatchObject({
      code: 'unsafe-transaction',
    })
  })

  it('rejects every dishonest response at the signature and signs nothing', async () => {
    for (const [name, lie] of lies) {
      const intent = await intend(worker, browser, trade('ETH', 'USDC', parseEther('0.1')))
      const lied = createWorker(browser, { api: lying(lie) })
      await lied.swap(intent)
      const { outcome, steps } = await lied.over(intent.id)
      expect([name, outcome]).toMatchObject([name, { status: 'failed', code: 'unsafe-transaction' }])
      expect(steps).toEqual([{ kind: 'swap', state: 'waiting' }])
    }
    expect(await nonce()).toBe(0)
  })
})

describe('swaps: RPC and service failures', () => {
  it('requires a new review when the network fee exceeds the accepted fee cap', async () => {
    const intent = await intend(worker, browser, trade('ETH', 'USDC', parseEther('0.1')))
    const dear = createWorker(browser, {
      chain: (chain) => ({
        ...chain,
        async fees() {
          const { maxFeePerGas, maxPriorityFeePerGas } = await chain.fees()
          return { maxFeePerGas: maxFeePerGas * 2n, maxPriorityFeePerGas }
        },
      }),
    })
    await dear.swap(intent)
    expect((await dear.over(intent.id)).outcome).toMatchObject({
      status: 'failed',
      code: 'stale-review',
      facts: { expected: String(intent.feeCap) },
    })
    expect(await nonce()).toBe(0)
  })

  it('sends nothing when the RPC serves another chain', async () => {
    const intent = await intend(worker, browser, trade('ETH', 'USDC', parseEther('0.1')))
    let signed = 0
    const elsewhere = createWorker(browser, {
      chain: (chain) => ({
        ...chain,
        verify: () => Promise.reject(new WalletError('wrong-chain', 'The node serves chain 1.')),
        send(raw) {
          signed++
          return chain.send(raw)
        },
      }),
    })
    await elsewhere.swap(intent)
    expect((await elsewhere.over(intent.id)).outcome).toMatchObject({ status: 'failed', code: 'wrong-chain' })
    expect(signed).toBe(0)
  })

  it('does not retry a swap service request that timed out', async () => {
    const intent = await intend(worker, browser, trade('ETH', 'USDC', parseEther('0.1')))
    let asked = 0
    let clock = Date.now()
    const silent = createWorker(browser, {
      now: () => clock,
      api: (api) => ({
        ...api,
        async swap() {
          asked++
          clock += 10_000
          throw new WalletError('service-timeout', 'The swap service did not answer in time.')
        },
      }),
    })
    await silent.swap(intent)
    expect((await silent.over(intent.id)).outcome).toMatchObject({
      status: 'failed',
      code: 'service-timeout',
    })
    expect(asked).toBe(1)
  })

  it('resets the failure count of a swap when its approval is mined again', async () => {
    const intent = await intend(worker, browser, trade('DAI', 'WETH', parseEther('10')))
    let isApproved = false
    let isTakenBack = false
    let refusals = 0
    const shaky = createWorker(browser, {
      chain: (chain) => ({
        ...chain,
        async receipt(hash) {
          const found = await chain.receipt(hash)
          isApproved ||= found !== undefined
          const isAway = isTakenBack
          isTakenBack = false
          return isAway ? undefined : found
        },
        transaction: async (hash) => (await chain.transaction(hash)) && 'pending',
      }),
      api: (api) => ({
        ...api,
        async swap(asked, options) {
          if (!isApproved || refusals === 4) return api.swap(asked, options)
          refusals++
          isTakenBack = true
          throw new WalletError('would-fail', 'It would fail.')
        },
      }),
    })
    await shaky.swap(intent)
    expect((await shaky.over(intent.id)).outcome.status).toBe('done')
    expect(refusals).toBe(4)
  })

  it('retries while the RPC and the swap service are down, and then completes the swap', async () => {
    let failures = 0
    const gate: Gate = (operation, perform) => {
      const down = failures < 12 && /^(chain|api)\./.test(operation)
      if (!down) return perform()
      failures++
      throw new WalletError(
        operation.startsWith('api') ? 'service-unreachable' : 'node-unreachable',
        'It is down.',
      )
    }
    const intent = await intend(worker, browser, trade('DAI', 'WETH', parseEther('10')))
    // Fixed, so that it does not give up.
    const now = Date.now()
    const patient = createWorker(browser, { gate, now: () => now })
    await patient.swap(intent)
    expect((await patient.over(intent.id)).outcome.status).toBe('done')
    expect(failures).toBe(12)
    expect(await nonce()).toBe(2)
  })
})
