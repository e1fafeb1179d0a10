import { parseEther } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import { createJournal, isRecordOpen } from '../../../src/background/transactions/journal.ts'
import { WalletError } from '../../../src/errors.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'
import { createSwapActs, once } from '../../helpers/background/swapActs.ts'
import {
  accept,
  type Browser,
  createBrowser,
  createWorker,
  intend,
  pause,
  until,
  useStage,
  type Worker,
} from '../../helpers/background/worker.ts'
import { readWord } from '../../helpers/service/lyingService.ts'

const stage = useStage()
let browser: Browser
let worker: Worker

beforeEach(async () => {
  browser = await createBrowser(stage)
  worker = createWorker(browser)
})

const { trade, balance, nonce, moveThePrice } = createSwapActs(stage, () => browser)

describe('minimum received', () => {
  it('signs nothing when the price falls below the minimum after the review', async () => {
    const intent = await intend(worker, browser, trade('ETH', 'BROOK', parseEther('0.1')))
    await moveThePrice()
    await worker.swap(intent)
    const swap = await worker.over(intent.id)
    expect(swap.outcome).toMatchObject({ status: 'failed', code: 'below-floor' })
    expect(swap.steps).toEqual([{ kind: 'swap', state: 'waiting' }])
    expect(await nonce()).toBe(0)
  })

  it('does not sign the swap when the price falls while the approval is pending', async () => {
    const moving = createWorker(browser, { gate: once('chain.send', moveThePrice) })
    const intent = await intend(worker, browser, trade('DAI', 'BROOK', parseEther('100')))
    await moving.swap(intent)
    const swap = await moving.over(intent.id)
    expect(swap.outcome).toMatchObject({
      status: 'failed',
      code: 'below-floor',
      message: expect.stringContaining('The approval before it stands'),
    })
    expect(swap.steps.map(({ state }) => state)).toEqual([expect.stringMatching(/mined|final/), 'waiting'])
    expect(await nonce()).toBe(1)
  })

  it('reverts with ReturnTooLow when the price falls after the signature', async () => {
    const moving = createWorker(browser, { gate: once('chain.send', moveThePrice) })
    const intent = await intend(worker, browser, trade('ETH', 'BROOK', parseEther('0.1')))
    const had = await balance('BROOK')
    await moving.swap(intent)
    const swap = await moving.over(intent.id)
    expect(swap.outcome).toMatchObject({
      status: 'failed',
      code: 'reverted',
      message: expect.stringContaining('ReturnTooLow'),
      facts: { error: 'ReturnTooLow', step: 'swap', minimum: String(intent.floor) },
    })
    expect(swap.steps.map(({ state }) => state)).toEqual(['reverted'])
    expect(await balance('BROOK')).toBe(had)
  })

  it('polls a reverted swap at a bounded rate and closes its record when the approval is final', async () => {
    const { client } = stage.localnet
    let sends = 0
    let operations = 0
    let waits = 0
    const moving = createWorker(browser, {
      gate: async (operation, perform) => {
        operations++
        if (operation === 'chain.send' && ++sends === 2) await moveThePrice()
        return perform()
      },
      wait() {
        waits++
        return pause(50)
      },
    })
    const intent = await intend(worker, browser, trade('DAI', 'BROOK', parseEther('100')))
    await moving.swap(intent)
    expect((await moving.over(intent.id)).outcome).toMatchObject({ status: 'failed', code: 'reverted' })

    operations = 0
    waits = 0
    await client.mine({ blocks: 5 })
    const journal = createJournal(memoryArea(browser.local))
    await until(async () => {
      const record = await createJournal(memoryArea(browser.local)).get(intent.id)
      return record !== undefined && !isRecordOpen(record) ? true : undefined
    }, 'the record to be closed')
    expect((await journal.get(intent.id))?.steps.map(({ state }) => state)).toEqual(['final', 'reverted'])
    // A few per poll, on any machine.
    expect(operations).toBeLessThan(20 * (waits + 1))
  })

  it('rejects calldata of the service with a lower minimum than accepted', async () => {
    const intent = await intend(worker, browser, trade('ETH', 'USDC', parseEther('0.1')))
    const greedy = createWorker(browser, {
      api: (api) => ({
        ...api,
        swap: (wanted, { slippageBps: _none, leastReturn: _ours, ...options }) =>
          api.swap(wanted, { ...options, leastReturn: intent.floor - 1n }),
      }),
    })
    await greedy.swap(intent)
    expect((await greedy.over(intent.id)).outcome).toMatchObject({ status: 'failed', code: 'below-floor' })
    expect(await nonce()).toBe(0)
  })
})

describe('price improvement after the review', () => {
  it('signs a higher minimum than accepted when the price improves, with one request', async () => {
    const wanted = trade('BROOK', 'DAI', parseEther('500'))
    const intent = await intend(worker, browser, wanted)
    await moveThePrice()
    await stage.service.engine.refresh()
    const asked: bigint[] = []
    const watching = createWorker(browser, {
      api: (api) => ({
        ...api,
        swap: (trade, options) => {
          asked.push(options.leastReturn ?? 0n)
          return api.swap(trade, options)
        },
      }),
    })
    await watching.swap(intent)
    const { outcome, steps } = await watching.over(intent.id)
    expect(outcome.status).toBe('done')
    expect(asked).toEqual(Array(steps.length).fill(intent.floor))
    const { input } = await stage.localnet.client.getTransaction({ hash: steps.at(-1)!.hash! })
    expect(readWord(input, 'floor')).toBeGreaterThan(intent.floor)
  })
})

describe('price improvement lost before signing', () => {
  it('signs the accepted minimum when the higher one would revert', async () => {
    const wanted = trade('ETH', 'USDC', parseEther('0.1'))
    const review = await worker.review(wanted)
    const intent = { ...accept(browser.account, wanted, review), floor: (review.floor * 99n) / 100n }
    const asked: bigint[] = []
    const lagging = createWorker(browser, {
      chain: (chain) => ({
        ...chain,
        async estimateGas(call) {
          const minimum = readWord(call.data, 'floor')
          asked.push(minimum)
          if (minimum <= intent.floor) return chain.estimateGas(call)
          const facts = { error: 'ReturnTooLow', returned: String(intent.floor), minimum: String(minimum) }
          throw new WalletError('reverted', 'The return is too low.', facts)
        },
      }),
    })
    await lagging.swap(intent)
    const { outcome, steps } = await lagging.over(intent.id)
    expect(outcome.status).toBe('done')
    expect(asked).toEqual([expect.any(BigInt), intent.floor])
    expect(asked[0]).toBeGreaterThan(intent.floor)
    const { input } = await stage.localnet.client.getTransaction({ hash: steps[0]!.hash! })
    expect(readWord(input, 'floor')).toBe(intent.floor)
  })

  it('reports the expected and the simulated return when the accepted minimum would revert too', async () => {
    const wanted = trade('ETH', 'USDC', parseEther('0.1'))
    const intent = await intend(worker, browser, wanted)
    const returned = intent.floor - 1n
    const falling = createWorker(browser, {
      chain: (chain) => ({
        ...chain,
        simulate: async () => {
          const facts = { error: 'ReturnTooLow', returned: String(returned), minimum: String(intent.floor) }
          return { simulation: { status: 'reverts', reason: 'ReturnTooLow', facts }, gas: [] }
        },
      }),
    })
    await falling.swap(intent)
    expect((await falling.over(intent.id)).outcome).toMatchObject({
      code: 'below-floor',
      facts: { expected: String(intent.floor), found: String(returned) },
    })
  })
})
