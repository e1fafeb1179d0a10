import { erc20Abi } from 'viem'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { IntentRecord } from '../../../src/background/transactions/schemas.ts'
import type { CallsIntent } from '../../../src/domain/activity/callBatch.ts'
import type { SwapIntent } from '../../../src/domain/swap/swap.ts'
import { approvalData } from '../../../src/evm/erc20.ts'
import { useStage } from '../../helpers/background/worker.ts'
import { slow } from '../../helpers/slow.ts'
import {
  ask,
  confirm,
  confirmations,
  createHistory,
  giveBack,
  type History,
  type Kind,
  mine,
  records,
  reorganise,
  restart,
  signedOf,
  useNumber,
  want,
} from './machine/history.ts'

slow('A chain runs.')

// Histories of machine.test.ts: after a reorganisation another signer may take the nonce of one step only.

const stage = useStage(confirmations)
let history: History

beforeEach(async () => {
  history = await createHistory(stage, new Map())
})

afterAll(() => stage.startMining?.())

async function request(kind: Kind, calls = 1): Promise<void> {
  await want(history, kind, calls)
  await confirm(history, history.wanted.at(-1)!)
}

async function look(times = 1): Promise<void> {
  for (let done = 0; done < times; done++) await history.life.look()
}

async function next(): Promise<void> {
  await mine(history, 1)
  await look()
}

/** Another signer uses the nonce. */
async function loseToStranger(): Promise<void> {
  await reorganise(history, 1, false, false)
  await useNumber(history)
  await mine(history, 1)
}

/** Beyond finality and all deadlines. */
async function settled(): Promise<void> {
  await mine(history, confirmations)
  history.moved += 11 * 60_000
  await look(5)
}

async function newest(): Promise<IntentRecord> {
  const { id } = history.wanted.at(-1)!.intent
  return (await records(history)).find(({ intent }) => intent.id === id)!
}

async function told(): Promise<unknown[]> {
  const { steps, outcome } = await newest()
  return [...steps.map(({ state }) => state), outcome.status === 'failed' ? outcome.code : outcome.status]
}

function wethHeld(): Promise<bigint> {
  const { tokens, client } = stage.localnet
  const args = [history.browser.account] as const
  return client.readContract({ address: tokens.WETH, abi: erc20Abi, functionName: 'balanceOf', args })
}

describe('steps whose nonce another signer used', () => {
  it('reports a batch as replaced when its first call loses its nonce and the second is mined', async () => {
    await request('calls', 2)
    await next()
    expect(await told()).toEqual(['mined', 'sent', 'working'])
    await loseToStranger()
    await look(4)
    expect(await told()).toEqual(['replaced', 'mined', 'replaced'])
    await settled()
    expect(await told()).toEqual(['replaced', 'final', 'replaced'])
    const { steps, outcome } = await newest()
    expect(steps).toMatchObject([{ settled: true }, {}])
    // No step precedes it.
    const message = 'Another transaction of the account used the number 0.'
    expect(outcome).toMatchObject({ message, facts: { nonce: '0' } })
  })

  it('reports a batch as replaced even after it was reported done', async () => {
    await request('calls', 3)
    for (let call = 1; call <= 3; call++) await next()
    expect(await told()).toEqual(['mined', 'mined', 'mined', 'done'])
    await reorganise(history, 3, false, true)
    const [, ...later] = signedOf([await newest()]).flatMap(({ hashes }) => hashes)
    await useNumber(history)
    await giveBack(history, later)
    await mine(history, 1)
    await look()
    expect(await told()).toEqual(['sent', 'mined', 'mined', 'working'])
    await look(3)
    expect(await told()).toEqual(['replaced', 'mined', 'mined', 'replaced'])
    await settled()
    expect(await told()).toEqual(['replaced', 'final', 'final', 'replaced'])
  })

  it('reports a swap as reverted when its approval was replaced', async () => {
    await request('swap')
    await next()
    expect(await told()).toEqual(['mined', 'sent', 'working'])
    await loseToStranger()
    await look(4)
    expect(await told()).toEqual(['replaced', 'reverted', 'reverted'])
    await settled()
    expect(await told()).toEqual(['replaced', 'reverted', 'reverted'])
  })

  it('completes a swap when the other signer sent the same approval', async () => {
    await request('swap')
    await next()
    const { router, trade } = history.wanted[0]!.intent as SwapIntent
    const had = await wethHeld()
    await reorganise(history, 1, false, false)
    const raw = await history.key.signTransaction({
      chainId: 31337,
      type: 'eip1559',
      nonce: 0,
      to: trade.sell,
      data: approvalData(router, trade.amount),
      gas: 100_000n,
      maxFeePerGas: 10n ** 12n,
      maxPriorityFeePerGas: 10n ** 12n,
    })
    await ask(history, [{ method: 'eth_sendRawTransaction', params: [raw] }])
    await mine(history, 1)
    await look(4)
    expect(await told()).toEqual(['replaced', 'mined', 'done'])
    await settled()
    expect(await told()).toEqual(['replaced', 'final', 'done'])
    expect(await newest()).toMatchObject({ outcome: { received: (await wethHeld()) - had } })
  })

  it('drops a following call that no node has seen, and frees its nonce', async () => {
    await request('calls', 2)
    history.mood.fall('full', 1)
    await next()
    expect(await told()).toEqual(['mined', 'signed', 'working'])
    await loseToStranger()
    await look(6)
    expect(await told()).toEqual(['replaced', 'dropped', 'replaced'])
    const [, hash] = signedOf([await newest()]).flatMap(({ hashes }) => hashes)
    expect(await ask(history, [{ method: 'eth_getTransactionByHash', params: [hash] }])).toEqual([null])
    await request('payment')
    await next()
    expect(await told()).toEqual(['mined', 'done'])
    const { to } = (history.wanted[0]!.intent as CallsIntent).calls[1]!
    expect(await ask(history, [{ method: 'eth_getBalance', params: [to, 'latest'] }])).toEqual(['0x0'])
  })

  it('marks two lost steps as replaced in the same poll, but not before the fourth', async () => {
    await request('calls', 2)
    await next()
    await next()
    expect(await told()).toEqual(['mined', 'mined', 'done'])
    await reorganise(history, 2, false, false)
    for (let taken = 0; taken < 2; taken++) {
      await useNumber(history)
      await mine(history, 1)
    }
    // The next poll comes after a pause.
    await look(3)
    expect(await told()).toEqual(['sent', 'sent', 'working'])
    await look()
    expect(await told()).toEqual(['replaced', 'replaced', 'replaced'])
  })

  it('finalises the next call when the RPC lacks the state to settle the replaced one', async () => {
    await request('calls', 2)
    await next()
    await loseToStranger()
    await look(4)
    expect(await told()).toEqual(['replaced', 'mined', 'replaced'])
    // Finality of that block needs old state.
    history.mood.forgetsState = true
    await settled()
    expect(await told()).toEqual(['replaced', 'final', 'replaced'])
    expect((await newest()).steps[0]).not.toMatchObject({ settled: true })
    history.mood.forgetsState = false
    await look(3)
    expect((await newest()).steps[0]).toMatchObject({ settled: true })
  })

  it('completes the batch when another reorganisation frees the nonce', async () => {
    await request('calls', 2)
    await next()
    await loseToStranger()
    await look(4)
    expect(await told()).toEqual(['replaced', 'mined', 'replaced'])
    await reorganise(history, 1, false, false)
    await look()
    await next()
    await next()
    expect(await told()).toEqual(['mined', 'mined', 'done'])
  })
})

describe('payments: reorganisations', () => {
  it('stays pending while the pool holds a higher-priced transaction with its nonce, and is mined later', async () => {
    await request('payment')
    await next()
    expect(await told()).toEqual(['mined', 'done'])
    await reorganise(history, 1, false, false)
    await useNumber(history)
    await look()
    expect(await told()).toEqual(['sent', 'working'])
    // Drops the other signer's.
    await ask(history, [{ method: 'anvil_dropAllTransactions', params: [] }])
    await look()
    await next()
    expect(await told()).toEqual(['mined', 'done'])
  })

  it('marks a payment as replaced when another signer uses its nonce first', async () => {
    await request('payment')
    await next()
    await reorganise(history, 1, false, false)
    await useNumber(history)
    await look()
    await mine(history, 1)
    await look(3)
    expect(await told()).toEqual(['replaced', 'replaced'])
    await settled()
    expect(await newest()).toMatchObject({ steps: [{ state: 'replaced', settled: true }] })
  })
})

describe('status polls', () => {
  async function asked(): Promise<string[]> {
    const { mood } = history
    const methods: string[] = []
    const { fetch } = mood
    mood.fetch = (url, init) => {
      methods.push((JSON.parse(String(init?.body)) as { method: string }).method)
      return fetch(url, init)
    }
    await restart(history)
    mood.fetch = fetch
    methods.length = 0
    await look()
    return methods
  }

  it('requests the block number once and nothing for settled steps', async () => {
    await request('calls', 3)
    await next()
    await next()
    expect(await told()).toEqual(['mined', 'mined', 'sent', 'working'])
    const receipt = 'eth_getTransactionReceipt'
    const young = [receipt, 'eth_blockNumber', receipt, receipt, 'eth_getTransactionByHash']
    expect(await asked()).toEqual(young)
    // The third stays pending.
    await ask(history, [{ method: 'anvil_dropAllTransactions', params: [] }])
    await mine(history, confirmations)
    await look(2)
    expect(await told()).toEqual(['final', 'final', 'sent', 'working'])
    expect(await asked()).toEqual([receipt, 'eth_getTransactionByHash'])
  })
})
