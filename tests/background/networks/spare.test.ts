import { parseEther } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SwapIntent } from '../../../src/domain/swap/swap.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import {
  type Browser,
  createBrowser,
  createWorker,
  intend,
  until,
  useStage,
} from '../../helpers/background/worker.ts'
import { hangUp, text } from '../../helpers/node/faultServer.ts'
import { type MoodyNode, startMoodyNode } from '../../helpers/node/faultyRpc.ts'
import { createSlowTime } from '../../helpers/node/virtualTime.ts'
import { slow } from '../../helpers/slow.ts'

slow('Deadlines of real requests pass.')

/** An RPC from before the swap. */
const lagging = {
  eth_getTransactionReceipt: null,
  eth_getTransactionByHash: null,
  eth_getTransactionCount: '0x0',
  eth_blockNumber: '0x1',
}

// Final after three blocks.
const stage = useStage(3)
let first: MoodyNode
let spare: MoodyNode
let browser: Browser
let clock: number
/** Lead of the monotonic clock, in ms. */
let skipped: number

beforeEach(async () => {
  const { rpcUrl } = stage.localnet
  first = await startMoodyNode({}, rpcUrl)
  spare = await startMoodyNode({}, rpcUrl)
  const network = { ...stage.network, rpcUrl: first.url, spareRpcUrl: spare.url }
  browser = await createBrowser({ ...stage, network })
  clock = Date.now()
  skipped = 0
})
afterEach(async () => {
  await stage.startMining()
  await Promise.all([first.stop(), spare.stop()])
})

function worker() {
  let looks = 0
  const one = createWorker(browser, {
    now: () => clock,
    wire: { sleep: async () => undefined, now: () => performance.now() + skipped },
    wait: async () => {
      looks++
      await new Promise((resolve) => setTimeout(resolve, 5))
    },
  })
  return { ...one, looks: () => looks }
}

type Worker = ReturnType<typeof worker>

const coins = () => ({
  chainId: 31337,
  sell: nativeTokenAddress,
  buy: stage.localnet.tokens.USDC,
  amount: parseEther('0.1'),
})

async function stateOf(one: Worker, { id }: SwapIntent) {
  const swap = (await one.list()).find(({ intent }) => intent.id === id)
  return { state: swap?.steps[0]?.state, outcome: swap?.outcome.status }
}

async function reaches(one: Worker, intent: SwapIntent, state: string): Promise<void> {
  await until(async () => ((await stateOf(one, intent)).state === state ? true : undefined), state)
}

async function doubted(one: Worker, { id }: SwapIntent): Promise<boolean> {
  return (await one.find(id))?.steps[0]?.isDoubted === true
}

async function isDoubted(one: Worker, intent: SwapIntent): Promise<void> {
  await until(async () => ((await doubted(one, intent)) ? true : undefined), 'doubt')
}

/** More than it takes to believe an RPC. */
async function looksAgain(one: Worker): Promise<void> {
  const before = one.looks()
  await until(async () => (one.looks() > before + 5 ? true : undefined), 'several looks')
}

describe('rate limit on one of two RPCs', () => {
  it.each(['the first', 'the spare'])(
    'reviews and executes a swap when the rate-limited RPC is %s',
    async (which) => {
      const busy = which === 'the first' ? first : spare
      busy.mood = text('', 429, { 'retry-after': '60' })
      let slept = 0
      const sleep = async (ms: number) => {
        slept += ms
      }
      const one = createWorker(browser, { now: () => clock, wire: { sleep } })
      const intent = await intend(one, browser, coins())
      await one.swap(intent)
      expect((await one.over(intent.id)).outcome.status).toBe('done')
      expect(slept).toBeLessThanOrEqual(5_000)
      expect(await stage.localnet.client.getTransactionCount({ address: browser.account })).toBe(1)
    },
  )
})

describe('silence of one of two RPCs', () => {
  it.each(['the first', 'the spare'])(
    'sends from a new worker after 2.5 s when the silent RPC is %s',
    async (which) => {
      const intent = await intend(worker(), browser, coins())
      const [silent, well] = which === 'the first' ? [first, spare] : [spare, first]
      const time = createSlowTime((url) => (url === silent.url ? Number.POSITIVE_INFINITY : 0))
      const one = createWorker(browser, { now: () => clock, wire: time.wire })
      await one.swap(intent)
      expect((await one.over(intent.id)).outcome.status).toBe('done')
      const isSending = ({ url, method }: (typeof time.sent)[number]) =>
        url === well.url && method === 'eth_sendRawTransaction'
      expect(time.sent.find(isSending)?.at).toBe(2_500)
      time.stop()
    },
  )
})

describe('silent first RPC and lagging backup RPC', () => {
  it('keeps a confirmed swap done, past its deadline and across a restart', async () => {
    const before = worker()
    const intent = await intend(before, browser, coins())
    await before.swap(intent)
    await reaches(before, intent, 'mined')
    const { outcome } = (await before.find(intent.id))!

    first.mood = hangUp
    Object.assign(spare.answers, lagging)
    clock += 3_600_000
    await looksAgain(before)
    expect(await stateOf(before, intent)).toEqual({ state: 'mined', outcome: 'done' })

    const after = worker()
    await after.resume()
    await looksAgain(after)
    expect((await after.find(intent.id))!.outcome).toEqual(outcome)
    expect(after.heard).toEqual([])

    // Final once both have it.
    first.mood = undefined
    skipped += 60_000
    await stage.localnet.client.mine({ blocks: 3 })
    await isDoubted(after, intent)
    for (const method of Object.keys(spare.answers)) delete spare.answers[method]
    await reaches(after, intent, 'final')
  })

  it('keeps a pending swap pending, and resolves it once the first RPC answers', async () => {
    const one = worker()
    const intent = await intend(one, browser, coins())
    await stage.stopMining()
    await one.swap(intent)
    await reaches(one, intent, 'sent')

    first.mood = hangUp
    Object.assign(spare.answers, lagging)
    clock += 3_600_000
    await stage.startMining()
    await looksAgain(one)
    expect(await stateOf(one, intent)).toEqual({ state: 'sent', outcome: 'working' })

    first.mood = undefined
    await one.over(intent.id)
    expect((await stateOf(one, intent)).outcome).toBe('done')
  })
})

describe('lagging backup RPC while both answer', () => {
  it('follows a swap through the RPC that knows more', async () => {
    Object.assign(spare.answers, lagging)
    const one = worker()
    const intent = await intend(one, browser, coins())
    // The backup takes over for a minute.
    first.mood = hangUp
    await (await one.networks.chain(31337)).blockNumber()
    first.mood = undefined
    await one.swap(intent)
    await one.over(intent.id)
    expect((await stateOf(one, intent)).outcome).toBe('done')
    const { nonces } = await one.networks.chain(31337)
    expect(await nonces(browser.account)).toEqual({ mined: 1, pending: 1 })
  })
})

describe('RPC in use that misses a block', () => {
  it('marks a swap done by the receipt of another RPC, and final only once the RPC in use has it', async () => {
    const one = worker()
    const intent = await intend(one, browser, coins())
    Object.assign(first.answers, { eth_getTransactionReceipt: null, eth_getTransactionByHash: null })
    await one.swap(intent)
    await reaches(one, intent, 'mined')
    await stage.localnet.client.mine({ blocks: 5 })
    await looksAgain(one)
    expect(await stateOf(one, intent)).toEqual({ state: 'mined', outcome: 'done' })

    for (const method of Object.keys(first.answers)) delete first.answers[method]
    await reaches(one, intent, 'final')
  })
})

describe('false receipts from the RPC in use', () => {
  const receipt = (hash: string, block: bigint, status: '0x0' | '0x1') => ({
    transactionHash: hash,
    status,
    blockNumber: `0x${block.toString(16)}`,
    gasUsed: '0x5208',
    effectiveGasPrice: '0x1',
    logs: [],
  })
  it('marks a swap as doubted and not final when only one RPC reports its receipt', async () => {
    const one = worker()
    const intent = await intend(one, browser, coins())
    await stage.stopMining()
    await one.swap(intent)
    await reaches(one, intent, 'sent')
    const { hash } = (await one.find(intent.id))!.steps[0]!
    // The other RPC has not reached this block.
    const block = (await stage.localnet.client.getBlockNumber()) + 50n
    first.answers.eth_getTransactionReceipt = receipt(hash!, block, '0x1')
    await reaches(one, intent, 'mined')
    expect(await doubted(one, intent)).toBe(false)
    first.answers.eth_blockNumber = `0x${(block + 50n).toString(16)}`
    await isDoubted(one, intent)
    await looksAgain(one)
    expect((await stateOf(one, intent)).state).toBe('mined')

    for (const method of Object.keys(first.answers)) delete first.answers[method]
    await reaches(one, intent, 'sent')
    expect(await doubted(one, intent)).toBe(false)
    await stage.startMining()
    await stage.localnet.client.mine({ blocks: 5 })
    await reaches(one, intent, 'final')
    expect(await doubted(one, intent)).toBe(false)
  })

  it('marks a false revert as doubted, and the swap as done once the RPC reports the true receipt', async () => {
    const one = worker()
    const intent = await intend(one, browser, coins())
    await one.swap(intent)
    await reaches(one, intent, 'mined')
    const { hash, block } = (await one.find(intent.id))!.steps[0]!
    first.answers.eth_getTransactionReceipt = receipt(hash!, block!, '0x0')
    // The poll saw the true receipt, which mining would make final.
    await looksAgain(one)
    await stage.localnet.client.mine({ blocks: 5 })
    await isDoubted(one, intent)
    expect(await stateOf(one, intent)).toEqual({ state: 'reverted', outcome: 'failed' })
    await looksAgain(one)
    expect((await one.journal.get(intent.id))!.steps[0]).not.toHaveProperty('settled')

    // Uncontradicted, but not final.
    spare.mood = hangUp
    await looksAgain(one)
    expect((await one.journal.get(intent.id))!.steps[0]).not.toHaveProperty('settled')
    spare.mood = undefined

    delete first.answers.eth_getTransactionReceipt
    await reaches(one, intent, 'final')
    expect(await stateOf(one, intent)).toEqual({ state: 'final', outcome: 'done' })
    expect(await doubted(one, intent)).toBe(false)
  })
})

describe('backup RPC that never reaches a block', () => {
  it('polls a swap for a day, then settles it as doubted', async () => {
    Object.assign(spare.answers, lagging)
    const one = worker()
    const intent = await intend(one, browser, coins())
    await one.swap(intent)
    await reaches(one, intent, 'mined')
    await stage.localnet.client.mine({ blocks: 3 })
    await isDoubted(one, intent)
    const step = async () => (await one.journal.get(intent.id))!.steps[0]
    clock += 23 * 3_600_000
    await looksAgain(one)
    expect(await step()).not.toHaveProperty('settled')
    clock += 2 * 3_600_000
    await until(async () => ('settled' in (await step())! ? true : undefined), 'the last look')
    expect(await step()).toMatchObject({ state: 'mined', settled: true, isDoubted: true })
    expect((await one.find(intent.id))!.outcome.status).toBe('done')
  })
})

describe('silent backup RPC', () => {
  async function forgotten(one: Worker, after: number): Promise<SwapIntent> {
    const intent = await intend(one, browser, coins())
    await stage.stopMining()
    await one.swap(intent)
    await reaches(one, intent, 'sent')
    clock += after
    spare.mood = hangUp
    const { hash } = (await one.find(intent.id))!.steps[0]!
    await stage.localnet.client.dropTransaction({ hash: hash! })
    return intent
  }

  it('reports a swap as replaced when another transaction used its nonce', async () => {
    const one = worker()
    const intent = await forgotten(one, 3_600_000)
    const { client } = stage.localnet
    await client.setNonce({ address: browser.account, nonce: 1 })
    expect((await one.over(intent.id)).outcome).toMatchObject({ code: 'replaced' })
  })

  it('drops an unseen swap a day after its deadline, not earlier', async () => {
    const one = worker()
    const intent = await forgotten(one, 23 * 3_600_000)
    await looksAgain(one)
    expect(await stateOf(one, intent)).toEqual({ state: 'sent', outcome: 'working' })
    clock += 2 * 3_600_000
    expect((await one.over(intent.id)).outcome).toMatchObject({ code: 'dropped' })
  })
})

describe('lagging backup RPC alone', () => {
  it('does not reuse the nonce of a final swap', async () => {
    const one = worker()
    const done = await intend(one, browser, coins())
    await one.swap(done)
    await reaches(one, done, 'mined')
    await stage.localnet.client.mine({ blocks: 3 })
    await reaches(one, done, 'final')
    const next = await intend(one, browser, coins())

    first.mood = hangUp
    spare.answers.eth_getTransactionCount = '0x0'
    await one.swap(next)
    await until(async () => {
      const { state } = await stateOf(one, next)
      return state === 'sent' || state === 'mined' ? true : undefined
    }, 'the next to be sent')
    const nonces = (await one.journal.list()).flatMap(({ steps }) =>
      steps.map((step) => ('nonce' in step ? step.nonce : undefined)),
    )
    expect(nonces.sort()).toEqual([0, 1])
  })
})
