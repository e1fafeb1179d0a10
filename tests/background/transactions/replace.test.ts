import { erc20Abi, parseEther } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createJournal, isSigned } from '../../../src/background/transactions/journal.ts'
import type { Call, CallBatch } from '../../../src/domain/activity/callBatch.ts'
import {
  acceptReplacement,
  type Fees,
  feeAt,
  type Replacement,
  type ReplacementKind,
  type ReplaceRequest,
  replacementAt,
} from '../../../src/domain/activity/replacement.ts'
import type { Swap } from '../../../src/domain/swap/swap.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import type { Chain } from '../../../src/evm/client.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'
import {
  agree,
  type Browser,
  createBrowser,
  createWorker,
  dataKey,
  type Gate,
  intend,
  until,
  useStage,
  type Worker,
  type WorkerOptions,
} from '../../helpers/background/worker.ts'

const stage = useStage()
let browser: Browser
let worker: Worker

beforeEach(async () => {
  browser = await createBrowser(stage)
  start()
  await stage.stopMining()
})
afterEach(() => stage.startMining())

/** Only one worker runs at a time. */
function start(options: WorkerOptions = {}): Worker {
  stop()
  let isStopped = false
  stop = () => {
    isStopped = true
  }
  const gate: Gate = (_operation, perform) => (isStopped ? new Promise<never>(() => {}) : perform())
  worker = createWorker(browser, { ...options, gate })
  return worker
}
let stop = () => {}

const friend: Address = `0x${'f1'.repeat(20)}`
const pay = (value: bigint): Call => ({ to: friend, data: '0x', value })

const nonce = () => stage.localnet.client.getTransactionCount({ address: browser.account })
const held = (address: Address) => stage.localnet.client.getBalance({ address })
const mine = (blocks = 1) => stage.localnet.client.mine({ blocks })

async function waiting(...calls: Call[]): Promise<CallBatch> {
  const intent = agree(browser.account, calls)
  await worker.send(intent)
  return (await worker.until(intent.id, ({ steps }) => steps[0]?.state === 'sent')) as CallBatch
}

async function replace(id: string, wish: ReplacementKind): Promise<Replacement> {
  const offer = await worker.replacement(id, wish)
  await worker.replace(askOf(id, wish, offer))
  return offer
}

function askOf(id: string, wish: ReplacementKind, offer: Replacement): ReplaceRequest {
  return { id, wish, ...acceptReplacement(offer, replacementAt(offer, 'fast')) }
}

async function over(id: string): Promise<Swap | CallBatch> {
  return until(async () => {
    await mine()
    const one = await worker.find(id)
    return one !== undefined && one.outcome.status !== 'working' ? one : undefined
  }, `${id} to be over`)
}

async function inPool(hash: Hex) {
  return stage.localnet.client.getTransaction({ hash })
}

/** The tests' own high fees must not raise the price. */
function startCalm(): Worker {
  let fees: ReturnType<Chain['fees']> | undefined
  return start({
    chain: (chain): Chain => ({
      ...chain,
      fees() {
        fees ??= chain.fees()
        return fees
      },
    }),
  })
}

describe('cancelled transactions', () => {
  it('does not reuse the nonce of a cancelled transaction when the RPC lags behind', async () => {
    const sent = await waiting(pay(5n))
    await replace(sent.intent.id, 'cancel')
    await mine()
    await worker.until(sent.intent.id, ({ outcome }) => outcome.status === 'failed')
    start({ chain: (chain) => ({ ...chain, nonces: async () => ({ mined: 0, pending: 0 }) }) })
    const next = agree(browser.account, [pay(6n)])
    await worker.send(next)
    const [step] = (await worker.until(next.id, ({ steps }) => steps[0]?.state === 'sent')).steps
    expect(step!.nonce).toBe(1)
    await over(next.id)
  })
})

describe('speed-up', () => {
  it('replaces the call with the same nonce and a fee at least 12.5 % higher, and confirms', async () => {
    const before = await held(friend)
    const sent = await waiting(pay(5n))
    const [old] = sent.steps
    const was = await inPool(old!.hash!)
    const offer = await replace(sent.intent.id, 'faster')
    expect(offer).toMatchObject({ replaces: old!.hash, gas: 21_000n, l1Fee: 0n })
    expect(offer.least).toEqual({
      maxFeePerGas: (was.maxFeePerGas! * 9n + 7n) / 8n,
      maxPriorityFeePerGas: (was.maxPriorityFeePerGas! * 9n + 7n) / 8n,
    })
    const [step] = (await worker.find(sent.intent.id))!.steps
    expect(step).toMatchObject({
      state: 'sent',
      nonce: 0,
      rivals: [{ hash: old!.hash }, { hash: step!.hash }],
    })
    expect(step!.hash).not.toBe(old!.hash)
    const now = await inPool(step!.hash!)
    expect(now).toMatchObject({ nonce: 0, to: friend, value: 5n, gas: 21_000n })
    const fees = replacementAt(offer, 'fast')
    expect(now.maxFeePerGas).toBe(fees.maxFeePerGas)
    expect(step!.fee).toBe(feeAt(offer, fees))

    const done = await over(sent.intent.id)
    expect(done.outcome.status).toBe('done')
    const receipt = await stage.localnet.client.getTransactionReceipt({ hash: step!.hash! })
    expect(done.steps[0]).toMatchObject({ hash: step!.hash, block: receipt.blockNumber })
    expect(done.paid).toBe(receipt.gasUsed * receipt.effectiveGasPrice)
    expect([await nonce(), await held(friend)]).toEqual([1, before + 5n])
  })

  it('continues the swap after its approval is sped up beyond the fee cap of the swap', async () => {
    const { DAI, WETH } = stage.localnet.tokens
    await stage.startMining()
    startCalm()
    const trade = { chainId: 31337, sell: DAI, buy: WETH, amount: parseEther('10') }
    const reviewed = await intend(worker, browser, trade)
    await stage.stopMining()
    // Leaves no room for a higher fee.
    const intent = { ...reviewed, feeCap: (reviewed.feeCap * 2n) / 3n }
    await worker.swap(intent)
    await worker.until(intent.id, ({ steps }) => steps[0]?.state === 'sent')
    const offer = await worker.replacement(intent.id, 'faster')
    const { maxFeePerGas, maxPriorityFeePerGas } = offer.least
    const fees = { maxFeePerGas: maxFeePerGas * 3n, maxPriorityFeePerGas: maxPriorityFeePerGas * 3n }
    await worker.replace({ id: intent.id, wish: 'faster', ...acceptReplacement(offer, fees) })
    const done = await over(intent.id)
    expect(done).toMatchObject({
      outcome: { status: 'done' },
      steps: [{ kind: 'approve' }, { kind: 'swap' }],
    })
    expect(await nonce()).toBe(2)
  })

  it('speeds up a replacement again, with a fee at least 12.5 % above the previous one', async () => {
    const sent = await waiting(pay(1n))
    const first = await replace(sent.intent.id, 'faster')
    const second = await replace(sent.intent.id, 'faster')
    expect(second.least.maxFeePerGas).toBe((replacementAt(first, 'fast').maxFeePerGas * 9n + 7n) / 8n)
    expect((await worker.find(sent.intent.id))!.steps[0]!.rivals).toHaveLength(3)
    expect((await over(sent.intent.id)).outcome.status).toBe('done')
    expect(await nonce()).toBe(1)
  })
})

describe('cancellation', () => {
  it('sends an empty transaction to the sender and ends the batch as cancelled', async () => {
    const before = await held(friend)
    const sent = await waiting(pay(5n), pay(6n))
    const { hash } = sent.steps[0]!
    const offer = await replace(sent.intent.id, 'cancel')
    expect(offer.gas).toBe(21_000n)
    const pending = (await worker.find(sent.intent.id))!
    const [, cancel] = pending.steps[0]!.rivals!
    expect(cancel).toMatchObject({ cancels: true })
    // Keeps the original hash until it confirms.
    expect(pending.steps[0]).toMatchObject({ state: 'sent', hash })
    expect(await inPool(cancel!.hash)).toMatchObject({
      nonce: 0,
      to: browser.account,
      value: 0n,
      input: '0x',
    })

    const ended = await over(sent.intent.id)
    expect(ended.outcome).toMatchObject({
      status: 'failed',
      code: 'cancelled',
    })
    expect(ended.steps).toMatchObject([{ state: 'cancelled', hash: cancel!.hash }, { state: 'waiting' }])
    const receipt = await stage.localnet.client.getTransactionReceipt({ hash: cancel!.hash })
    expect(ended.paid).toBe(receipt.gasUsed * receipt.effectiveGasPrice)
    expect([await nonce(), await held(friend)]).toEqual([1, before])
    await until(async () => {
      await mine()
      const record = await createJournal(memoryArea(browser.local)).get(sent.intent.id)
      const [step] = record!.steps
      return (step !== undefined && isSigned(step) && step.settled) || undefined
    }, 'the cancellation to be final')
  })

  it('ends the swap as cancelled when its approval is cancelled', async () => {
    const { DAI, WETH } = stage.localnet.tokens
    await stage.startMining()
    const trade = { chainId: 31337, sell: DAI, buy: WETH, amount: parseEther('10') }
    const intent = await intend(worker, browser, trade)
    await stage.stopMining()
    await worker.swap(intent)
    await worker.until(intent.id, ({ steps }) => steps[0]?.state === 'sent')
    await replace(intent.id, 'cancel')
    const ended = await over(intent.id)
    expect(ended).toMatchObject({
      outcome: { status: 'failed', code: 'cancelled' },
      steps: [{ state: 'cancelled' }, { state: 'waiting' }],
    })
    const args = [browser.account, stage.localnet.contracts.router] as const
    const allowed = await stage.localnet.client.readContract({
      address: DAI,
      abi: erc20Abi,
      functionName: 'allowance',
      args,
    })
    expect([await nonce(), allowed]).toEqual([1, 0n])
  })

  it('stops later calls when the cancellation comes too late for the first', async () => {
    const before = await held(friend)
    const sent = await waiting(pay(5n), pay(6n))
    const { hash } = sent.steps[0]!
    startDeaf()
    await replace(sent.intent.id, 'cancel')
    await worker.resume()
    const ended = await over(sent.intent.id)
    expect(ended).toMatchObject({
      outcome: { status: 'failed', code: 'cancelled' },
      steps: [{ state: expect.stringMatching(/mined|final/), hash }, { state: 'waiting' }],
    })
    expect([await nonce(), await held(friend)]).toEqual([1, before + 5n])
  })

  it('allows a speed-up of the original call after a cancellation', async () => {
    const before = await held(friend)
    const sent = await waiting(pay(5n))
    await replace(sent.intent.id, 'cancel')
    await replace(sent.intent.id, 'faster')
    expect((await over(sent.intent.id)).outcome.status).toBe('done')
    expect([await nonce(), await held(friend)]).toEqual([1, before + 5n])
  })
})

function startDeaf(refusal = new WalletError('node-unreachable', 'The node cannot be reached.')): Worker {
  return start({ chain: (chain) => ({ ...chain, send: () => Promise.reject(refusal) }) })
}

describe('undelivered replacements', () => {
  it('completes with the original transaction when the replacement is not delivered', async () => {
    const sent = await waiting(pay(5n))
    const { hash } = sent.steps[0]!
    startDeaf()
    await replace(sent.intent.id, 'faster')
    await worker.resume()
    const done = await over(sent.intent.id)
    expect(done).toMatchObject({ outcome: { status: 'done' }, steps: [{ hash, rivals: [{ hash }, {}] }] })
    expect(await nonce()).toBe(1)
  })

  it('reports the required fees when the RPC answers underpriced, and keeps the replacement in the record', async () => {
    const sent = await waiting(pay(5n))
    const offer = await worker.replacement(sent.intent.id, 'faster')
    startDeaf(new WalletError('underpriced', 'Too cheap.'))
    const refusal = await worker.replace(askOf(sent.intent.id, 'faster', offer)).catch((error) => error)
    const { maxFeePerGas, maxPriorityFeePerGas } = replacementAt(offer, 'fast')
    expect(refusal).toMatchObject({
      code: 'underpriced',
      facts: {
        maxFeePerGas: String((maxFeePerGas * 9n + 7n) / 8n),
        maxPriorityFeePerGas: String((maxPriorityFeePerGas * 9n + 7n) / 8n),
      },
    })
    expect((await worker.find(sent.intent.id))!.steps[0]!.rivals).toHaveLength(2)
  })

  it('maps the underpriced error of a real node', async () => {
    const sent = await waiting(pay(5n))
    const record = (await worker.journal.get(sent.intent.id))!
    await replace(sent.intent.id, 'faster')
    const [step] = record.steps
    const chain = await worker.networks.chain(31337)
    if (step === undefined || !isSigned(step)) throw new Error('Nothing was signed.')
    await expect(chain.send(step.raw)).rejects.toMatchObject({ code: 'underpriced' })
    await over(sent.intent.id)
  })

  it('resends a replacement that the pool dropped', async () => {
    const { client } = stage.localnet
    const sent = await waiting(pay(5n))
    const record = (await worker.journal.get(sent.intent.id))!
    await replace(sent.intent.id, 'faster')
    const { hash } = (await worker.find(sent.intent.id))!.steps[0]!
    const [first] = record.steps
    if (first === undefined || !isSigned(first)) throw new Error('Nothing was signed.')
    await client.dropTransaction({ hash: hash! })
    await client.sendRawTransaction({ serializedTransaction: first.raw }).catch(() => undefined)
    await until(async () => (await inPool(hash!).catch(() => undefined)) && true, 'it to be back')
    const done = await over(sent.intent.id)
    expect(done).toMatchObject({ outcome: { status: 'done' }, steps: [{ hash }] })
    expect(await nonce()).toBe(1)
  })
})

describe('replacement errors', () => {
  it('rejects a replacement of a mined transaction before and after the wallet notices', async () => {
    const sent = await waiting(pay(5n))
    const offer = await worker.replacement(sent.intent.id, 'cancel')
    start()
    await mine()
    const ask = askOf(sent.intent.id, 'cancel', offer)
    await expect(worker.replace(ask)).rejects.toMatchObject({ code: 'already-mined' })
    await worker.resume()
    await over(sent.intent.id)
    await expect(worker.replace(ask)).rejects.toMatchObject({ code: 'already-mined' })
    await expect(worker.replacement(sent.intent.id, 'faster')).rejects.toMatchObject({
      code: 'already-mined',
    })
  })

  it('rejects a repeated replacement request once the transaction is final', async () => {
    const sent = await waiting(pay(5n))
    const ask = askOf(sent.intent.id, 'faster', await worker.replacement(sent.intent.id, 'faster'))
    await worker.replace(ask)
    await until(async () => {
      await mine()
      return (await worker.find(sent.intent.id))!.steps[0]!.state === 'final' || undefined
    }, 'it to be final')
    await expect(worker.replace(ask)).rejects.toMatchObject({ code: 'already-mined' })
  })

  it('rejects a replacement when the original is mined before the replacement is sent', async () => {
    const sent = await waiting(pay(5n))
    const offer = await worker.replacement(sent.intent.id, 'cancel')
    start({
      chain: (chain): Chain => ({
        ...chain,
        async send(raw) {
          await mine()
          return chain.send(raw)
        },
      }),
    })
    await expect(worker.replace(askOf(sent.intent.id, 'cancel', offer))).rejects.toMatchObject({
      code: 'already-mined',
    })
    await worker.resume()
    const done = await over(sent.intent.id)
    expect(done).toMatchObject({ outcome: { status: 'done' }, steps: [{ hash: sent.steps[0]!.hash }] })
  })

  it('rejects fees less than 12.5 % above either current fee', async () => {
    const sent = await waiting(pay(5n))
    const { least, ...offer } = await worker.replacement(sent.intent.id, 'faster')
    for (const less of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const) {
      const fees: Fees = { ...least, [less]: least[less] - 1n }
      const ask = { ...askOf(sent.intent.id, 'faster', { least, ...offer }), fees, feeCap: parseEther('1') }
      await expect(worker.replace(ask)).rejects.toMatchObject({
        code: 'underpriced',
        facts: { [less]: String(least[less]) },
      })
    }
    await worker.replace({
      id: sent.intent.id,
      wish: 'faster',
      ...acceptReplacement({ least, ...offer }, least),
    })
    expect((await over(sent.intent.id)).outcome.status).toBe('done')
  })

  it('rejects a replacement above its fee cap, and includes an L1 fee margin in the offer', async () => {
    const sent = await waiting(pay(5n))
    const writing = (l1Fee: bigint) =>
      start({ chain: (chain): Chain => ({ ...chain, l1Fee: async () => l1Fee }) })
    writing(100n)
    const offer = await worker.replacement(sent.intent.id, 'cancel')
    expect(offer.l1Fee).toBe(150n)
    const ask = askOf(sent.intent.id, 'cancel', offer)
    writing(151n)
    await expect(worker.replace(ask)).rejects.toMatchObject({
      code: 'stale-review',
      facts: { expected: String(ask.feeCap), found: String(ask.feeCap + 1n) },
    })
    expect((await worker.find(sent.intent.id))!.steps[0]!.rivals).toBeUndefined()
    writing(150n)
    await worker.replace(ask)
    expect((await worker.find(sent.intent.id))!.steps[0]!.fee).toBe(ask.feeCap)
    await worker.resume()
    await over(sent.intent.id)
  })

  it('rejects an unknown id, a locked wallet and an outdated offer', async () => {
    const nothing = { code: 'invalid-input' }
    await expect(worker.replacement('ab'.repeat(16), 'faster')).rejects.toMatchObject(nothing)
    const sent = await waiting(pay(5n))
    const offer = await worker.replacement(sent.intent.id, 'faster')
    await worker.vault.lock()
    await expect(worker.replace(askOf(sent.intent.id, 'faster', offer))).rejects.toMatchObject({
      code: 'locked',
    })
    await worker.vault.unlock(dataKey)
    await worker.replace(askOf(sent.intent.id, 'faster', offer))
    // Idempotent; an older offer must pay more.
    await worker.replace(askOf(sent.intent.id, 'faster', offer))
    expect((await worker.find(sent.intent.id))!.steps[0]!.rivals).toHaveLength(2)
    await expect(worker.replace(askOf(sent.intent.id, 'cancel', offer))).rejects.toMatchObject({
      code: 'underpriced',
    })
    await over(sent.intent.id)
  })

  it('rejects an offer for a mined step while the next step is pending', async () => {
    const sent = await waiting(pay(5n), pay(6n))
    const offers = [await worker.replacement(sent.intent.id, 'faster')]
    offers.push(await worker.replacement(sent.intent.id, 'cancel'))
    await mine()
    await worker.until(sent.intent.id, ({ steps }) => steps[1]?.state === 'sent')
    for (const [at, wish] of (['faster', 'cancel'] as const).entries()) {
      const ask = askOf(sent.intent.id, wish, offers[at]!)
      await expect(worker.replace(ask)).rejects.toMatchObject({ code: 'already-mined' })
    }
    const { steps, outcome } = await over(sent.intent.id)
    expect(steps.map(({ rivals }) => rivals)).toEqual([undefined, undefined])
    expect(outcome.status).toBe('done')
  })

  it('rejects a replacement that the account cannot pay for', async () => {
    const { client } = stage.localnet
    const sent = await waiting(pay(5n))
    const offer = await worker.replacement(sent.intent.id, 'cancel')
    await client.setBalance({ address: browser.account, value: 1_000n })
    await expect(worker.replace(askOf(sent.intent.id, 'cancel', offer))).rejects.toMatchObject({
      code: 'not-enough-gas',
    })
    await client.setBalance({ address: browser.account, value: parseEther('1') })
    await over(sent.intent.id)
  })
})

describe('replacements: reorganisations', () => {
  it.each([
    ['faster', 'done'],
    ['cancel', 'failed'],
  ] as const)(
    'reaches the same outcome again after a reorganisation removes the replacement (%s)',
    async (wish, status) => {
      const { client } = stage.localnet
      const sent = await waiting(pay(5n))
      await replace(sent.intent.id, wish)
      const { id } = sent.intent
      const isOver = async () => {
        const one = (await worker.find(id))!
        return one.outcome.status === status || undefined
      }
      await mine()
      await until(isOver, 'it to be mined')
      await client.request({ method: 'anvil_rollback' as never, params: [1] as never })
      await worker.until(id, ({ outcome }) => outcome.status === 'working')
      await until(async () => {
        await mine()
        return isOver()
      }, 'it to be mined again')
      expect(await nonce()).toBe(1)
    },
  )
})

describe('concurrent transactions of one account', () => {
  it.each([
    ['faster', ['done', 'done', 'done'], 111n],
    ['cancel', ['done', 'failed', 'done'], 101n],
  ] as const)(
    'leaves no nonce gap when the middle transaction is replaced (%s)',
    async (wish, ends, arrives) => {
      const before = await held(friend)
      const sent: CallBatch[] = []
      for (const value of [1n, 10n, 100n]) sent.push(await waiting(pay(value)))
      const nonces = sent.map(({ steps }) => steps[0]!.nonce)
      expect(nonces).toEqual([0, 1, 2])
      await replace(sent[1]!.intent.id, wish)
      const found: string[] = []
      for (const { intent } of sent) found.push((await over(intent.id)).outcome.status)
      expect(found).toEqual(ends)
      expect([await nonce(), await held(friend)]).toEqual([3, before + arrives])
      const next = await waiting(pay(1n))
      expect(next.steps[0]!.nonce).toBe(3)
    },
  )
})

describe('swaps of native tokens', () => {
  it('speeds up a swap and reports the received amount', async () => {
    await stage.startMining()
    const trade = {
      chainId: 31337,
      sell: nativeTokenAddress,
      buy: stage.localnet.tokens.DAI,
      amount: parseEther('0.01'),
    }
    const intent = await intend(worker, browser, trade)
    await stage.stopMining()
    await worker.swap(intent)
    await worker.until(intent.id, ({ steps }) => steps[0]?.state === 'sent')
    await replace(intent.id, 'faster')
    const { outcome } = (await over(intent.id)) as Swap
    if (outcome.status !== 'done') throw new Error('It is not done.')
    expect(outcome.received).toBeGreaterThanOrEqual(intent.floor)
    expect(await nonce()).toBe(1)
  })
})
