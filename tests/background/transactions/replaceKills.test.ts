import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createJournal } from '../../../src/background/transactions/journal.ts'
import type { IntentRecord } from '../../../src/background/transactions/schemas.ts'
import { toView } from '../../../src/background/transactions/toView.ts'
import { transactionHashes } from '../../../src/domain/activity/activity.ts'
import type { CallsIntent } from '../../../src/domain/activity/callBatch.ts'
import {
  acceptReplacement,
  type ReplacementKind,
  type ReplaceRequest,
  replacementAt,
} from '../../../src/domain/activity/replacement.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'
import {
  agree,
  type Browser,
  createBrowser,
  createWorker,
  type Gate,
  until,
  useStage,
  type Worker,
} from '../../helpers/background/worker.ts'
import { deathAfter, never } from '../../helpers/background/workerDeath.ts'
import { figure } from '../../helpers/figures.ts'
import { runs } from '../../helpers/runs.ts'
import { slow } from '../../helpers/slow.ts'

slow('The worker is stopped, or its node lies, again and again.')

// A stopped worker's next operation never ends; only storage remains.

const stage = useStage()
let browser: Browser

beforeEach(async () => {
  browser = await createBrowser(stage)
  await stage.stopMining()
})
afterEach(() => stage.startMining())

const friend: Address = `0x${'f1'.repeat(20)}`
const wishes: readonly ReplacementKind[] = ['faster', 'cancel']

async function waiting(): Promise<CallsIntent> {
  let isStopped = false
  const worker = createWorker(browser, {
    gate: (_operation, perform) => (isStopped ? never : perform()),
  })
  const intent = agree(browser.account, [{ to: friend, data: '0x', value: 5n }])
  await worker.send(intent)
  await worker.until(intent.id, ({ steps }) => steps[0]?.state === 'sent')
  isStopped = true
  return intent
}

async function press({ id }: CallsIntent, wish: ReplacementKind): Promise<ReplaceRequest> {
  const offer = await createWorker(browser).replacement(id, wish)
  return { id, wish, ...acceptReplacement(offer, replacementAt(offer, 'fast')) }
}

async function stored({ id }: CallsIntent): Promise<IntentRecord> {
  return (await createJournal(memoryArea(browser.local)).get(id))!
}

type Books = { nonce: number; held: bigint }

async function look(): Promise<Books> {
  const { client } = stage.localnet
  return {
    nonce: await client.getTransactionCount({ address: browser.account }),
    held: await client.getBalance({ address: friend }),
  }
}

async function expectOne(worker: Worker, { id }: CallsIntent, before: Books, what: string): Promise<string> {
  const { client } = stage.localnet
  const one = await until(async () => {
    await client.mine({ blocks: 1 })
    const found = await worker.find(id)
    return found !== undefined && found.outcome.status !== 'working' ? found : undefined
  }, `${what} to be over`)
  const now = await look()
  const paid = one.outcome.status === 'done' ? 5n : 0n
  expect([what, now.nonce - before.nonce, now.held - before.held]).toEqual([what, 1, paid])
  const receipts = await Promise.all(
    transactionHashes(one).map((hash) => client.getTransactionReceipt({ hash }).catch(() => undefined)),
  )
  const mined = receipts.flatMap((receipt) => receipt?.transactionHash ?? [])
  expect([what, mined]).toEqual([what, [one.steps[0]!.hash]])
  return one.outcome.status === 'failed' ? one.outcome.code : one.outcome.status
}

const ends: Record<ReplacementKind, string> = { faster: 'done', cancel: 'cancelled' }

describe('worker stopped during a replacement', () => {
  it.each(wishes)(
    'confirms exactly one of both transactions when the worker stops after any operation (%s)',
    async (wish) => {
      let isReplaced = false
      let at = 0
      while (!isReplaced) {
        at += 1
        const before = await look()
        const intent = await waiting()
        const ask = await press(intent, wish)
        const death = deathAfter(at)
        void createWorker(browser, { gate: death.gate })
          .replace(ask)
          .then(() => {
            isReplaced = true
          })
        await until(async () => death.isDead() || isReplaced || undefined, `death after ${at} operations`)
        const what = `${wish} stopped after ${at}: ${death.operations[at - 1]}`

        const next = createWorker(browser)
        await next.resume()
        await next.replace(ask)
        expect([what, transactionHashes(toView(await stored(intent))).length]).toEqual([what, 2])
        expect([what, await expectOne(next, intent, before, what)]).toEqual([what, ends[wish]])
      }
      expect(at).toBeGreaterThan(12)
    },
  )

  it('confirms exactly one transaction when the worker stops at random during speed-ups and cancellations', async () => {
    const history = fc.array(
      fc.record({
        at: fc.integer({ min: 1, max: 60 }),
        wish: fc.constantFrom(...wishes),
        isMined: fc.boolean(),
      }),
      { minLength: 1, maxLength: 5 },
    )
    await fc.assert(
      fc.asyncProperty(history, async (moments) => {
        await stage.startMining()
        browser = await createBrowser(stage)
        await stage.stopMining()
        const before = await look()
        const intent = await waiting()
        for (const { at, wish, isMined } of moments) {
          const ask = await press(intent, wish).catch((error) => error as WalletError)
          const death = deathAfter(at)
          const doomed = createWorker(browser, { gate: death.gate })
          void doomed.resume()
          let isOver = false
          const finish = () => {
            isOver = true
          }
          if (!(ask instanceof WalletError)) void doomed.replace(ask).then(finish, finish)
          else isOver = true
          if (isMined) await stage.localnet.client.mine({ blocks: 1 })
          await until(async () => death.isDead() || isOver || undefined, `death after ${at} operations`)
          death.stop()
        }
        const next = createWorker(browser)
        await next.resume()
        const what = JSON.stringify(moments)
        expect(['done', 'cancelled']).toContain(await expectOne(next, intent, before, what))
      }),
      { numRuns: runs(5, 50), endOnFailure: true },
    )
    figure(
      '68',
      `${runs(5, 50)} histories of speeding up and cancelling, the worker stopped meanwhile: exactly one mined in each`,
    )
  })
})

describe('storage failure during a replacement', () => {
  it.each(['before', 'after'] as const)(
    'sends no unstored transaction when storage fails %s the write',
    async (when) => {
      const before = await look()
      const intent = await waiting()
      const ask = await press(intent, 'cancel')
      const unstored: string[] = []
      let fails = true
      const gate: Gate = async (operation, perform) => {
        if (operation !== 'local.set' || !fails) return perform()
        fails = false
        if (when === 'after') await perform()
        throw new WalletError('storage-failed', 'The disk is full.')
      }
      const worker = createWorker(browser, {
        gate,
        chain: (chain) => ({
          ...chain,
          send(raw) {
            if (![...browser.local.values()].some((text) => text.includes(raw))) unstored.push(raw)
            return chain.send(raw)
          },
        }),
      })
      await expect(worker.replace(ask)).rejects.toMatchObject({ code: 'storage-failed' })
      await worker.resume()
      await worker.replace(ask)
      expect(unstored).toEqual([])
      expect(await expectOne(worker, intent, before, when)).toBe('cancelled')
    },
  )
})
