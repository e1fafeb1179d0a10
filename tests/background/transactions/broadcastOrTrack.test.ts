import { setTimeout } from 'node:timers/promises'
import { erc20Abi, parseEther } from 'viem'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { broadcastOrTrack } from '../../../src/background/transactions/broadcastOrTrack.ts'
import { createJournal, isSigned } from '../../../src/background/transactions/journal.ts'
import type { IntentRecord, SignedStep } from '../../../src/background/transactions/schemas.ts'
import { toView } from '../../../src/background/transactions/toView.ts'
import type { Trade } from '../../../src/domain/swap/quote.ts'
import type { SwapIntent } from '../../../src/domain/swap/swap.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import type { Chain } from '../../../src/evm/client.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'
import {
  type Browser,
  createBrowser,
  createWorker,
  intend,
  until,
  useStage,
  type Worker,
} from '../../helpers/background/worker.ts'

const account: Address = `0x${'a1'.repeat(20)}`
const dai: Address = '0x6b175474e89094c44da98b954eedeac495271d0f'
const router: Address = '0x1111111254eeb25477b68fb85ed929f73a960582'

const step: SignedStep = {
  kind: 'swap',
  state: 'sent',
  nonce: 0,
  raw: '0x02',
  hash: `0x${'01'.repeat(32)}`,
  deadline: 0,
  fee: 1_000n,
}
const record: IntentRecord = {
  intent: {
    id: '00'.repeat(16),
    account,
    trade: { chainId: 1, sell: dai, buy: nativeTokenAddress, amount: 1n },
    slippageBps: 50,
    shown: { returns: 127n, networkFee: 0n },
    floor: 90n,
    router,
    feeCap: 1_000n,
  },
  createdAt: 1,
  steps: [step],
  outcome: { status: 'working' },
}

const node = (head: bigint, inBlock: Chain['balanceChangeInBlock']) =>
  ({
    receipt: async () => ({
      status: 'success',
      blockNumber: 5n,
      gasUsed: 10n,
      effectiveGasPrice: 2n,
      l1Fee: 7n,
      isAgreed: true,
      logs: [],
    }),
    missedAnswers: async () => 0,
    blockNumber: async () => head,
    balanceChangeInBlock: inBlock,
    codeHash: async () => undefined,
  }) as unknown as Chain

async function look(at: IntentRecord, chain: Chain): Promise<IntentRecord> {
  const [last] = at.steps
  const found = await broadcastOrTrack({
    record: at,
    step: last as SignedStep,
    chain,
    confirmations: 3,
    patient: false,
    isHeld: false,
    now: () => 0,
  })
  return typeof found === 'string' ? expect.fail(found) : found
}

const forgotten = () => Promise.reject(new Error('The block is forgotten.'))

describe('mined swaps', () => {
  it('records the network fee including the L1 fee', async () => {
    const mined = await look(record, node(5n, forgotten))
    expect(mined.steps).toMatchObject([{ state: 'mined', fee: 27n }])
  })

  it('keeps the received amount when the RPC prunes the block before it is final', async () => {
    const mined = await look(
      record,
      node(5n, async () => ({ grown: 100n, sent: 1 })),
    )
    expect(mined.outcome).toEqual({ status: 'done', received: 127n })
    const final = await look(mined, node(9n, forgotten))
    expect(final).toMatchObject({ steps: [{ state: 'final' }], outcome: mined.outcome })
  })

  it('determines the received amount later when the RPC did not answer at first', async () => {
    const mined = await look(record, node(5n, forgotten))
    expect(mined.outcome).toEqual({ status: 'done', received: 90n, isLeast: true })
    const final = await look(
      mined,
      node(9n, async () => ({ grown: 100n, sent: 1 })),
    )
    expect(final.outcome).toEqual({ status: 'done', received: 127n })
  })
})

describe('RPC that serves another chain', () => {
  const elsewhere = {
    receipt: async () => undefined,
    transaction: async () => undefined,
    missedAnswers: async () => 0,
    nonces: async () => ({ mined: 0, pending: 0 }),
    verify: () => Promise.reject(new WalletError('wrong-chain', 'The node serves chain 5.')),
  } as unknown as Chain

  it.each(['mined', 'reverted', 'cancelled'] as const)(
    'throws wrong-chain instead of resetting a step that is %s',
    async (state) => {
      const inBlock: IntentRecord = { ...record, steps: [{ ...step, state }] }
      await expect(look(inBlock, elsewhere)).rejects.toMatchObject({ code: 'wrong-chain' })
    },
  )
})

describe('replaced transactions', () => {
  const usedInFive = (head: bigint) =>
    ({
      receipt: async () => undefined,
      transaction: async () => undefined,
      missedAnswers: async () => 0,
      verify: async () => undefined,
      blockNumber: async () => head,
      nonces: async () => ({ mined: 1, pending: 1 }),
      nonceAtBlock: async (_owner: Address, block: bigint) => (block < 5n ? 0 : 1),
    }) as unknown as Chain
  const replaced: IntentRecord = { ...record, steps: [{ ...step, state: 'replaced' }] }

  const at = async (chain: Chain, confirmations: number, now = 86_400_000) =>
    broadcastOrTrack({
      record: replaced,
      step: replaced.steps[0] as SignedStep,
      chain,
      confirmations,
      patient: false,
      isHeld: false,
      now: () => now,
    })
  const closed = { steps: [{ state: 'replaced', settled: true }] }

  it('keeps the record open until the replacing transaction has enough confirmations', async () => {
    expect(await at(usedInFive(7n), 3)).toBe('wait')
    expect(await at(usedInFive(8n), 3)).toMatchObject(closed)
  })

  it('queries the nonce at most 100 blocks back, however many confirmations the network needs', async () => {
    const nonceAtBlock = vi.fn(async () => 1)
    expect(await at({ ...usedInFive(1_100n), nonceAtBlock }, 1_000)).toMatchObject(closed)
    expect(nonceAtBlock.mock.calls).toEqual([[account, 1_000n]])
  })

  it('closes the record after a day when the RPC keeps no old state', async () => {
    const forgetful = { ...usedInFive(8n), nonceAtBlock: forgotten }
    expect(await at(forgetful, 3)).toBe('wait')
    expect(await at(forgetful, 3, 86_400_001)).toMatchObject(closed)
  })

  it('closes the record after a day when one RPC never answers', async () => {
    let unheard = 0
    const silent = { ...usedInFive(8n), missedAnswers: async () => unheard++ }
    expect(await at(silent, 3)).toBe('wait')
    expect(await at(silent, 3, 86_400_001)).toMatchObject(closed)
  })

  it('reports a step as settled to views only when the record says so', () => {
    const told = (settled: boolean) =>
      toView({ ...replaced, steps: [{ ...step, state: 'replaced', settled }] }).steps[0]?.settled
    expect([told(false), told(true)]).toEqual([undefined, true])
  })
})

describe('transactions on a live chain', () => {
  // Rolled back blocks were not final.
  const stage = useStage(2)
  let browser: Browser
  let worker: Worker

  beforeEach(async () => {
    browser = await createBrowser(stage)
    worker = createWorker(browser)
  })

  const nonce = () => stage.localnet.client.getTransactionCount({ address: browser.account })
  const wethHeld = () =>
    stage.localnet.client.readContract({
      address: stage.localnet.tokens.WETH,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [browser.account],
    })
  const coins = (amount: string): Trade => {
    const { USDC } = stage.localnet.tokens
    return { chainId: 31337, sell: nativeTokenAddress, buy: USDC, amount: parseEther(amount) }
  }
  const dollars = (): Trade => {
    const { DAI, WETH } = stage.localnet.tokens
    return { chainId: 31337, sell: DAI, buy: WETH, amount: parseEther('10') }
  }

  async function pending(): Promise<{ intent: Awaited<ReturnType<typeof intend>>; hash: Hex }> {
    const intent = await intend(worker, browser, coins('0.1'))
    await stage.stopMining()
    await worker.swap(intent)
    const hash = await until(async () => {
      const [swap] = await worker.list()
      const step = swap?.steps[0]
      return step?.state === 'sent' ? step.hash : undefined
    }, 'the swap to be sent')
    return { intent, hash }
  }

  function createDeaf(): Worker {
    let now = Date.now()
    return createWorker(browser, {
      now: () => now,
      chain: (chain) => ({
        ...chain,
        send: () => {
          now += 60_000
          return Promise.reject(new WalletError('node-timeout', 'The node did not answer.'))
        },
      }),
    })
  }

  it('resends a transaction that the pool dropped, with the same hash', async () => {
    const { client } = stage.localnet
    const { intent, hash } = await pending()
    await client.dropTransaction({ hash })
    await until(
      async () => (await client.getTransaction({ hash }).catch(() => undefined)) && true,
      'the transaction to be back in the pool',
    )
    await client.mine({ blocks: 1 })
    await stage.startMining()
    const swap = await worker.over(intent.id)
    expect(swap.outcome.status).toBe('done')
    expect(swap.steps[0]?.hash).toBe(hash)
    expect(await nonce()).toBe(1)
  })

  it('marks a swap as replaced when another transaction uses its nonce', async () => {
    const { client } = stage.localnet
    const { intent, hash } = await pending()
    // Dropped first, it would be sent again.
    await client.setNonce({ address: browser.account, nonce: 1 })
    await client.dropTransaction({ hash })
    await stage.startMining()
    const swap = await worker.over(intent.id)
    expect(swap.outcome).toMatchObject({ status: 'failed', code: 'replaced', facts: { hash, nonce: '0' } })
    expect(swap.steps).toMatchObject([{ kind: 'swap', state: 'replaced', hash, nonce: 0 }])
  })

  it('gives up a transaction not seen for ten minutes, and reports it done when it confirms later', async () => {
    const { client } = stage.localnet
    const deaf = createDeaf()
    const intent = await intend(worker, browser, coins('0.1'))
    await deaf.swap(intent)
    const swap = await deaf.over(intent.id)
    expect(swap.outcome).toMatchObject({ status: 'failed', code: 'dropped' })
    expect(await nonce()).toBe(0)
    // Needs its network.
    expect(await deaf.openChains()).toEqual([])

    const step = (await deaf.journal.get(intent.id))!.steps[0]!
    if (step.state === 'waiting') throw new Error('Nothing was signed.')
    await client.sendRawTransaction({ serializedTransaction: step.raw })
    await until(async () => (await deaf.list())[0]?.outcome.status === 'done' || undefined, 'the truth')
  })

  it('keeps polling a dropped transaction as long as its network exists', async () => {
    const lost = (chainId: number): IntentRecord => ({
      ...record,
      intent: {
        ...record.intent,
        trade: { chainId, sell: dai, buy: nativeTokenAddress, amount: 1n },
      } as SwapIntent,
      steps: [{ ...step, state: 'dropped' }],
      outcome: { status: 'failed', code: 'dropped', message: '', facts: {} },
    })
    const looked = vi.fn(() => setTimeout(5))
    const journal = createJournal(memoryArea(browser.local))
    await journal.put(lost(4_242))
    const one = createWorker(browser, { wait: looked })
    const network = vi.spyOn(one.networks, 'network')
    await one.resume()
    await until(async () => network.mock.settledResults[0]?.type === 'rejected' || undefined, 'no network')
    await setTimeout(0)
    expect(looked).not.toHaveBeenCalled()
    await journal.put(lost(31_337))
    await createWorker(browser, { wait: looked }).resume()
    await until(async () => looked.mock.calls.length > 1 || undefined, 'a second look')
  })

  it('reuses the nonce of a dropped transaction', async () => {
    const deaf = createDeaf()
    const lost = await intend(worker, browser, coins('0.1'))
    await deaf.swap(lost)
    expect((await deaf.over(lost.id)).outcome).toMatchObject({ code: 'dropped' })

    const next = createWorker(browser)
    await next.resume()
    const intent = await intend(next, browser, coins('0.2'))
    await next.swap(intent)
    expect((await next.over(intent.id)).outcome.status).toBe('done')
    expect(await nonce()).toBe(1)
    await until(async () => {
      const swap = (await next.list()).find(({ intent: { id } }) => id === lost.id)
      return swap?.steps[0]?.state === 'replaced' || undefined
    }, 'the lost one to be replaced')
  })

  it('resends a dropped approval while the swap after it is still in the pool', async () => {
    const { client } = stage.localnet
    let held: Promise<void> | undefined
    let letGo = () => {}
    const worker = createWorker(browser, {
      gate: async (operation, perform) => {
        if (operation.startsWith('chain.')) await held
        return perform()
      },
    })
    const intent = await intend(worker, browser, dollars())
    await stage.stopMining()
    await worker.swap(intent)
    const stepIs = (index: number, state: string) => async () =>
      (await worker.list())[0]?.steps[index]?.state === state || undefined
    await until(stepIs(0, 'sent'), 'the approval to be sent')
    await client.mine({ blocks: 1 })
    await until(stepIs(1, 'sent'), 'the swap to be sent')
    // A nonce gap; polls are held until then.
    held = new Promise((resolve) => {
      letGo = resolve
    })
    const swap = (await createJournal(memoryArea(browser.local)).get(intent.id))?.steps[1]
    await client.request({ method: 'anvil_rollback' as never, params: [1] as never })
    await client.request({ method: 'anvil_dropAllTransactions' as never })
    expect(await nonce()).toBe(0)
    if (swap !== undefined && isSigned(swap)) {
      await client.sendRawTransaction({ serializedTransaction: swap.raw })
      expect(await client.getTransaction({ hash: swap.hash })).toMatchObject({ blockNumber: null })
    }
    letGo()
    await until(async () => {
      await client.mine({ blocks: 1 })
      return (await worker.list())[0]?.outcome.status === 'done' || undefined
    }, 'both to be done')
    await stage.startMining()
    expect(await nonce()).toBe(2)
  })

  it('reopens a swap after a reorganisation and completes it once', async () => {
    const { client } = stage.localnet
    const intent = await intend(worker, browser, dollars())
    const had = await wethHeld()
    await worker.swap(intent)
    await worker.over(intent.id)
    await stage.stopMining()
    await client.request({ method: 'anvil_rollback' as never, params: [2] as never })
    await until(
      async () => (await worker.list())[0]?.outcome.status === 'working' || undefined,
      'the swap to be open',
    )
    await until(async () => {
      await client.mine({ blocks: 1 })
      return (await worker.list())[0]?.outcome.status === 'done' || undefined
    }, 'the swap to be done again')
    await stage.startMining()
    const swap = (await worker.list())[0]!
    expect(swap.outcome).toEqual({ status: 'done', received: (await wethHeld()) - had })
    expect(await nonce()).toBe(2)
  })
})
