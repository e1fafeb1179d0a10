import fc from 'fast-check'
import { erc20Abi, parseEther } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import { createJournal } from '../../../src/background/transactions/journal.ts'
import type { Trade } from '../../../src/domain/swap/quote.ts'
import type { SwapIntent } from '../../../src/domain/swap/swap.ts'
import { WalletError } from '../../../src/errors.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'
import {
  type Browser,
  createBrowser,
  createWorker,
  type Gate,
  intend,
  until,
  useStage,
} from '../../helpers/background/worker.ts'
import { deathAfter } from '../../helpers/background/workerDeath.ts'
import { figure } from '../../helpers/figures.ts'
import { numbersTo, runs } from '../../helpers/runs.ts'
import { slow } from '../../helpers/slow.ts'

slow('The worker is stopped, or its node lies, again and again.')

// A stopped worker's next operation never ends; only storage remains.

const stage = useStage()
let browser: Browser

beforeEach(async () => {
  browser = await createBrowser(stage)
})

const approveAndSwap = (): Trade => ({
  chainId: 31337,
  sell: stage.localnet.tokens.DAI,
  buy: stage.localnet.tokens.WETH,
  amount: parseEther('10'),
})
/** One transaction. */
const permitAndSwap = (): Trade => ({
  ...approveAndSwap(),
  sell: stage.localnet.tokens.USDC,
  amount: 10_000_000n,
})

async function runUntilDeath(intent: SwapIntent, at: number): Promise<string> {
  const death = deathAfter(at)
  const doomed = createWorker(browser, { gate: death.gate })
  void doomed.resume()
  void doomed.swap(intent)
  const isDone = async () => {
    const stored = await createJournal(memoryArea(browser.local)).get(intent.id)
    if (stored?.outcome.status === 'failed') throw new Error(`It failed: ${stored.outcome.message}`)
    return stored?.outcome.status === 'done'
  }
  await until(async () => death.isDead() || (await isDone()) || undefined, `death after ${at} operations`)
  return `stopped after ${at}: ${death.operations[at - 1]}`
}

type Account = { nonce: number; sold: bigint }

async function look({ sell }: Trade): Promise<Account> {
  const { client } = stage.localnet
  const { account: address } = browser
  const args = [address] as const
  return {
    nonce: await client.getTransactionCount({ address }),
    sold: await client.readContract({ address: sell, abi: erc20Abi, functionName: 'balanceOf', args }),
  }
}

async function expectOnce(trade: Trade, before: Account, what: string, steps = 2): Promise<void> {
  const now = await look(trade)
  expect([what, now.nonce - before.nonce, before.sold - now.sold]).toEqual([what, steps, trade.amount])
}

/** A new worker resumes, and the user repeats the request. */
async function finish(intent: SwapIntent, what: string, count = 2): Promise<void> {
  const next = createWorker(browser)
  await next.resume()
  await next.swap(intent)
  const { outcome, steps } = await next.over(intent.id)
  expect([what, outcome.status, steps.length]).toEqual([what, 'done', count])
}

async function allowance({ sell }: Trade): Promise<bigint> {
  const { client, contracts } = stage.localnet
  const args = [browser.account, contracts.router] as const
  return client.readContract({ address: sell, abi: erc20Abi, functionName: 'allowance', args })
}

async function countOperations(trade: Trade): Promise<number> {
  const counting = deathAfter(Number.MAX_SAFE_INTEGER)
  const worker = createWorker(browser, { gate: counting.gate })
  const intent = await intend(createWorker(browser), browser, trade)
  await worker.swap(intent)
  await worker.over(intent.id)
  return counting.operations.length
}

describe('stopped worker', () => {
  it('approves and swaps exactly once after a stop at any operation', async () => {
    const trade = approveAndSwap()
    const operations = await countOperations(trade)
    expect(operations).toBeGreaterThan(40)
    for (const at of numbersTo(operations, 7)) {
      const before = await look(trade)
      const intent = await intend(createWorker(browser), browser, trade)
      const what = await runUntilDeath(intent, at)
      await finish(intent, what)
      await expectOnce(trade, before, what)
    }
  }, 600_000)

  it('swaps with a permit exactly once after a stop at any operation, and leaves no allowance', async () => {
    const trade = permitAndSwap()
    const operations = await countOperations(trade)
    expect(operations).toBeGreaterThan(25)
    for (const at of numbersTo(operations, 7)) {
      const before = await look(trade)
      const intent = await intend(createWorker(browser), browser, trade)
      expect(intent.permission).toEqual({ via: 'permit' })
      const what = await runUntilDeath(intent, at)
      await finish(intent, what, 1)
      await expectOnce(trade, before, what, 1)
      expect([what, await allowance(trade)]).toEqual([what, 0n])
    }
  }, 600_000)

  it('swaps exactly once after several random stops', async () => {
    const deaths = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 2, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(deaths, fc.boolean(), async (moments, isPermit) => {
        browser = await createBrowser(stage)
        const trade = isPermit ? permitAndSwap() : approveAndSwap()
        const steps = isPermit ? 1 : 2
        const before = await look(trade)
        const intent = await intend(createWorker(browser), browser, trade)
        for (const at of moments) await runUntilDeath(intent, at)
        const what = `stopped after ${moments.join(', ')}`
        await finish(intent, what, steps)
        await expectOnce(trade, before, what, steps)
      }),
      { numRuns: runs(4, 15), endOnFailure: true },
    )
    figure(
      '63, 64',
      `${runs(4, 15)} swaps, the worker stopped two to six times after some of its operations: each made once`,
    )
  }, 600_000)

  it('completes an accepted swap without another request', async () => {
    const trade = approveAndSwap()
    for (const at of [20, 40]) {
      const before = await look(trade)
      const intent = await intend(createWorker(browser), browser, trade)
      const what = await runUntilDeath(intent, at)
      const next = createWorker(browser)
      await next.resume()
      expect([what, (await next.over(intent.id)).outcome.status]).toEqual([what, 'done'])
      await expectOnce(trade, before, what)
    }
  })
})

describe('failing storage', () => {
  function faultAt(at: number, when: 'before' | 'after', forever = false) {
    const operations: string[] = []
    let stopped = false
    const gate: Gate = async (operation, perform) => {
      if (stopped) return new Promise<never>(() => {})
      if (!operation.startsWith('local.')) return perform()
      operations.push(operation)
      const fails = operations.length === at || (forever && operations.length > at)
      if (fails && when === 'before') throw new WalletError('storage-failed', 'The disk is full.')
      const result = await perform()
      if (fails) throw new WalletError('storage-failed', 'The disk is full.')
      return result
    }
    const stop = () => {
      stopped = true
    }
    return { gate, operations, stop }
  }

  for (const when of ['before', 'after'] as const) {
    it(`swaps exactly once when any storage operation fails ${when} it was performed`, async () => {
      const trade = approveAndSwap()
      const counting = faultAt(Number.MAX_SAFE_INTEGER, 'before')
      const counted = createWorker(browser, { gate: counting.gate })
      const first = await intend(createWorker(browser), browser, trade)
      await counted.swap(first)
      await counted.over(first.id)
      const operations = counting.operations.length
      expect(operations).toBeGreaterThan(10)

      for (const at of numbersTo(operations, 6)) {
        const before = await look(trade)
        const intent = await intend(createWorker(browser), browser, trade)
        const fault = faultAt(at, when)
        const worker = createWorker(browser, { gate: fault.gate })
        const what = `${when} ${at}`
        const refusal = await worker.swap(intent).catch((error: unknown) => error)
        if (refusal instanceof Error)
          expect([what, refusal]).toMatchObject([what, { code: 'storage-failed' }])
        await worker.swap(intent)
        const { outcome } = await worker.over(intent.id)
        expect([what, outcome.status]).toEqual([what, 'done'])
        await finish(intent, what)
        await expectOnce(trade, before, what)
      }
    })

    it(`sends only stored transactions when all later operations fail ${when} they were performed`, async () => {
      const trade = approveAndSwap()
      for (const at of numbersTo(16, 6)) {
        const before = await look(trade)
        const intent = await intend(createWorker(browser), browser, trade)
        const unstored: string[] = []
        const fault = faultAt(at, when, true)
        const worker = createWorker(browser, {
          gate: fault.gate,
          chain: (chain) => ({
            ...chain,
            send(raw) {
              if (![...browser.local.values()].some((text) => text.includes(raw))) unstored.push(raw)
              return chain.send(raw)
            },
          }),
        })
        await worker.swap(intent).catch(() => undefined)
        await new Promise((resolve) => setTimeout(resolve, 100))
        fault.stop()
        const what = `${when} ${at}`
        expect([what, unstored]).toEqual([what, []])
        await finish(intent, what)
        await expectOnce(trade, before, what)
      }
    })
  }
})
