import fc from 'fast-check'
import { erc20Abi, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SwapIntent } from '../../src/domain/swap.ts'
import { native } from '../../src/domain/token.ts'
import type { Trade } from '../../src/domain/trade.ts'
import {
  type Browser,
  createBrowser,
  createStage,
  createWorker,
  type Gate,
  intend,
  type Stage,
} from './worker.ts'

// A worker that the browser stops is an instance whose next operation never ends. Its storage is all that is left of it.

let stage: Stage
let browser: Browser

beforeAll(async () => {
  stage = await createStage()
})
afterAll(() => stage.stop())
beforeEach(async () => {
  browser = await createBrowser(stage)
})
// Balances and pools as they were: many swaps of one account must not run dry.
let snapshot: `0x${string}`
beforeEach(async () => {
  snapshot = await stage.world.client.snapshot()
})
afterEach(() => stage.world.client.revert({ id: snapshot }))

const approveAndSwap = (): Trade => ({
  chainId: 31337,
  sell: stage.world.tokens.USDC,
  buy: stage.world.tokens.WETH,
  amount: 10_000_000n,
})
const swapOnly = (): Trade => ({
  chainId: 31337,
  sell: native,
  buy: stage.world.tokens.USDC,
  amount: parseEther('0.01'),
})

type Death = { gate: Gate; died: Promise<void>; operations(): string[] }

/** Stops at the operation with number `at`, counted from 1: `before` it is performed, or `after`, when nobody hears the answer. */
function deathAt(at: number, when: 'before' | 'after'): Death {
  const operations: string[] = []
  let die = () => {}
  const died = new Promise<void>((resolve) => {
    die = resolve
  })
  const never = new Promise<never>(() => {})
  const gate: Gate = async (operation, perform) => {
    operations.push(operation)
    const count = operations.length
    if (count > at || (count === at && when === 'before')) {
      die()
      return never
    }
    const result = await perform()
    if (count < at) return result
    die()
    return never
  }
  return { gate, died, operations: () => operations }
}

type Before = { nonce: number; sold: bigint }

async function look(trade: Trade): Promise<Before> {
  const { client } = stage.world
  const { account: address } = browser
  const nonce = await client.getTransactionCount({ address })
  const read = { address: trade.sell, abi: erc20Abi, functionName: 'balanceOf', args: [address] } as const
  const sold = trade.sell === native ? 0n : await client.readContract(read)
  return { nonce, sold }
}

/** Exactly one swap, and nothing else, happened since `before`. */
async function expectOnce(trade: Trade, before: Before, what: string): Promise<void> {
  const now = await look(trade)
  const transactions = trade.sell === native ? 1 : 2
  const amount = trade.sell === native ? 0n : trade.amount
  expect([what, now.nonce - before.nonce, before.sold - now.sold]).toEqual([what, transactions, amount])
}

/** A new worker on the same storage goes on with what is open; the user, who heard nothing, asks again with the same id. */
async function finish(intent: SwapIntent, what: string): Promise<void> {
  const next = createWorker(browser)
  await next.resume()
  await next.swap(intent)
  const { outcome, steps } = await next.over(intent.id)
  expect([what, outcome.status, steps.length]).toEqual([what, 'done', intent.trade.sell === native ? 1 : 2])
}

/** How many operations a swap takes when nobody stops it. */
async function countOperations(trade: Trade): Promise<number> {
  const counting = deathAt(Number.MAX_SAFE_INTEGER, 'before')
  const worker = createWorker(browser, { gate: counting.gate })
  const intent = await intend(createWorker(browser), browser, trade)
  await worker.swap(intent)
  await worker.over(intent.id)
  return counting.operations().length
}

describe('a worker that is stopped', () => {
  for (const when of ['before', 'after'] as const) {
    it(`${when} any of its operations swaps the coin exactly once`, async () => {
      const trade = swapOnly()
      const operations = await countOperations(trade)
      expect(operations).toBeGreaterThan(20)
      for (let at = 1; at <= operations; at++) {
        await killOnce(trade, at, when)
      }
    }, 120_000)

    it(`${when} any of its operations approves and swaps exactly once`, async () => {
      const trade = approveAndSwap()
      const operations = await countOperations(trade)
      expect(operations).toBeGreaterThan(40)
      for (let at = 1; at <= operations; at++) {
        await killOnce(trade, at, when)
      }
    }, 240_000)
  }

  async function killOnce(trade: Trade, at: number, when: 'before' | 'after'): Promise<void> {
    const before = await look(trade)
    const intent = await intend(createWorker(browser), browser, trade)
    const death = deathAt(at, when)
    const doomed = createWorker(browser, { gate: death.gate })
    void doomed.swap(intent)
    await Promise.race([death.died, overOrNever(doomed, intent)])
    const what = `${when} ${at}: ${death.operations()[at - 1]}`
    await finish(intent, what)
    await expectOnce(trade, before, what)
  }

  it('several times, at random, still swaps exactly once', async () => {
    const deaths = fc.array(
      fc.record({ at: fc.integer({ min: 1, max: 60 }), when: fc.constantFrom('before', 'after') }),
      { minLength: 2, maxLength: 6 },
    )
    await fc.assert(
      fc.asyncProperty(deaths, async (kills) => {
        const trade = approveAndSwap()
        const before = await look(trade)
        const intent = await intend(createWorker(browser), browser, trade)
        for (const { at, when } of kills) {
          const death = deathAt(at, when)
          const doomed = createWorker(browser, { gate: death.gate })
          void doomed.resume()
          void doomed.swap(intent)
          await Promise.race([death.died, overOrNever(doomed, intent)])
        }
        const what = JSON.stringify(kills)
        await finish(intent, what)
        await expectOnce(trade, before, what)
      }),
      { numRuns: 25 },
    )
  }, 240_000)

  it('forever, with nobody who asks again, loses no swap that it said it took', async () => {
    const trade = approveAndSwap()
    const before = await look(trade)
    const intent = await intend(createWorker(browser), browser, trade)
    const death = deathAt(40, 'after')
    const doomed = createWorker(browser, { gate: death.gate })
    await doomed.swap(intent)
    await death.died
    const next = createWorker(browser)
    await next.resume()
    expect((await next.over(intent.id)).outcome.status).toBe('done')
    await expectOnce(trade, before, 'nobody asks')
  })
})

/** Ends when the swap does; a stopped worker answers nothing, so it may never. */
async function overOrNever(worker: ReturnType<typeof createWorker>, { id }: SwapIntent): Promise<void> {
  for (;;) {
    if (worker.heard.some(({ intent, outcome }) => intent.id === id && outcome.status === 'done')) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('a storage that fails', () => {
  /** Fails the storage operation with number `at`; when `after`, it was performed nevertheless. */
  function faultAt(at: number, when: 'before' | 'after', forever = false) {
    const operations: string[] = []
    const gate: Gate = async (operation, perform) => {
      if (!operation.startsWith('local.')) return perform()
      operations.push(operation)
      const fails = operations.length === at || (forever && operations.length > at)
      if (fails && when === 'before') throw new Error('The disk is full.')
      const result = await perform()
      if (fails) throw new Error('The disk is full.')
      return result
    }
    return { gate, operations }
  }

  for (const when of ['before', 'after'] as const) {
    it(`at any one operation, ${when} it was performed, never swaps twice or halfway`, async () => {
      const trade = approveAndSwap()
      const counting = faultAt(Number.MAX_SAFE_INTEGER, 'before')
      const counted = createWorker(browser, { gate: counting.gate })
      const first = await intend(createWorker(browser), browser, trade)
      await counted.swap(first)
      await counted.over(first.id)
      const operations = counting.operations.length
      expect(operations).toBeGreaterThan(10)

      for (let at = 1; at <= operations; at++) {
        const before = await look(trade)
        const intent = await intend(createWorker(browser), browser, trade)
        const fault = faultAt(at, when)
        const worker = createWorker(browser, { gate: fault.gate })
        const what = `${when} ${at}: ${fault.operations[at - 1]}`
        await worker.swap(intent).catch((error: unknown) => {
          expect([what, error]).toMatchObject([
            what,
            { message: expect.stringMatching(/disk is full|storage|session/) },
          ])
        })
        // The user presses the same button again.
        await worker.swap(intent)
        const { outcome } = await worker.over(intent.id)
        expect([what, outcome.status]).toEqual([what, 'done'])
        await finish(intent, what)
        await expectOnce(trade, before, what)
      }
    }, 120_000)

    it(`from some operation on, ${when} each was performed, sends nothing that is not stored`, async () => {
      const trade = approveAndSwap()
      for (let at = 1; at <= 16; at++) {
        const before = await look(trade)
        const intent = await intend(createWorker(browser), browser, trade)
        let sent = 0
        const fault = faultAt(at, when, true)
        const worker = createWorker(browser, {
          gate: fault.gate,
          chain: (chain) => ({
            ...chain,
            send(raw) {
              sent++
              expect(JSON.stringify([...browser.local.values()])).toContain(raw)
              return chain.send(raw)
            },
          }),
        })
        await worker.swap(intent).catch(() => undefined)
        await new Promise((resolve) => setTimeout(resolve, 100))
        fault.gate = () => new Promise(() => {})
        const what = `${when} ${at}, ${sent} sent`
        await finish(intent, what)
        await expectOnce(trade, before, what)
      }
    }, 120_000)
  }
})
