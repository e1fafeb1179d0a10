import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { transferIntent } from '../../../src/background/transfers/transfer.ts'
import type { CallBatch, CallsIntent } from '../../../src/domain/activity/callBatch.ts'
import { acceptReplacement } from '../../../src/domain/activity/replacement.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import {
  type Browser,
  createBrowser,
  createWorker,
  dataKey,
  type Gate,
  intend,
  until,
  useStage,
} from '../../helpers/background/worker.ts'
import { slow } from '../../helpers/slow.ts'

slow('The worker is stopped, or its node lies, again and again.')

// The clock jumps by a day at any moment.

const day = 24 * 3_600_000
const moves: [string, number][] = [
  ['forward', day],
  ['back', -day],
]

const stage = useStage()
let browser: Browser
let moved: number
const now = () => Date.now() + moved

beforeEach(async () => {
  moved = 0
  browser = await createBrowser(stage)
})
afterEach(() => stage.startMining())

const start = (gate?: Gate) => createWorker(browser, { now, ...(gate && { gate }) })
type Worker = ReturnType<typeof start>

function transfer(): CallsIntent {
  const to = `0x${'f3'.repeat(20)}` as const
  const asked = {
    chainId: 31337,
    account: browser.account,
    token: nativeTokenAddress,
    to,
    amount: 5n,
    feeCap: 10n ** 18n,
  }
  return transferIntent({ ...asked, id: crypto.randomUUID().replaceAll('-', '') })
}

const used = () => stage.localnet.client.getTransactionCount({ address: browser.account })
const stateOf = async (worker: Worker, id: string) => (await worker.find(id))?.steps[0]?.state

describe.each(moves)('wallet with its clock set %s by a day', (_way, by) => {
  it('keeps a locked wallet locked until it is unlocked again', async () => {
    const { vault } = start()
    await vault.lock()
    moved = by
    expect(await vault.status()).toBe('locked')
    await expect(vault.withKey(browser.account, async () => 'signed')).rejects.toMatchObject({
      code: 'locked',
    })
    await vault.unlock(dataKey)
    expect(await vault.withKey(browser.account, async () => 'signed')).toBe('signed')
    moved += 15 * 60_000
    expect(await vault.status()).toBe('locked')
  })

  it('locks an unlocked wallet and keeps it locked after a restart and after the clock is corrected', async () => {
    moved = by
    const worker = start()
    await expect(worker.send(transfer())).rejects.toMatchObject({ code: 'locked' })
    moved = 0
    expect(await worker.vault.status()).toBe('locked')
    expect(await start().vault.status()).toBe('locked')
    expect([await used(), await worker.sendings()]).toEqual([0, []])
  })

  it('rejects a reviewed swap while locked, and executes it once unlocked', async () => {
    const worker = start()
    const trade = {
      chainId: 31337,
      sell: nativeTokenAddress,
      buy: stage.localnet.tokens.USDC,
      amount: 10n ** 16n,
    }
    const intent = await intend(worker, browser, trade)
    moved = by
    await expect(worker.swap(intent)).rejects.toMatchObject({ code: 'locked' })
    await worker.vault.unlock(dataKey)
    // The popup checks a review's age by its own clock (state/clock.ts).
    await worker.swap(intent)
    expect((await worker.over(intent.id)).outcome.status).toBe('done')
    expect(await used()).toBe(1)
  })

  it('neither loses, duplicates nor wrongly fails a transfer when the clock jumps before any operation', async () => {
    const ends = new Set<string>()
    for (let at = 1; ; at++) {
      moved = 0
      const first = start()
      await first.vault.unlock(dataKey)
      const nonce = await used()
      const intent = transfer()
      let operations = 0
      const isSent = async () => (await used()) > nonce
      let wasSent = false
      const worker = start(async (_operation, perform) => {
        if (++operations === at) {
          wasSent = await isSent()
          moved = by
        }
        return perform()
      })
      const refusal = await worker.send(intent).catch((error) => error.code as string)
      if (refusal === 'locked') {
        expect(await isSent()).toBe(false)
        continue
      }
      const reached = (statuses: string[]) =>
        until(async () => {
          const one = await worker.find(intent.id)
          return one && statuses.includes(one.outcome.status) ? one : undefined
        }, `${statuses} after ${at}`)
      const end = await reached(['needs-unlock', 'done', 'failed'])
      if (end.outcome.status === 'needs-unlock') {
        // The session expired, so nothing was signed.
        expect([at, end.steps[0]?.state, await isSent()]).toEqual([at, 'waiting', false])
        await worker.vault.unlock(dataKey)
        await worker.resume()
      }
      const { outcome } = await reached(['done', 'failed'])
      const code = outcome.status === 'failed' ? outcome.code : outcome.status
      ends.add(code)
      expect([at, code, await used()]).toEqual([at, code, nonce + (code === 'done' ? 1 : 0)])
      if (wasSent) expect([at, code]).toEqual([at, 'done'])
      const isLast = operations < at
      operations = Number.POSITIVE_INFINITY
      if (isLast) break
    }
    expect(ends).toContain('done')
    for (const end of ends) expect(['done', 'stale-review', 'dropped']).toContain(end)
  })

  it('keeps a pending transaction pending, and reports it as done once confirmed', async () => {
    await stage.stopMining()
    const worker = start()
    const intent = transfer()
    await worker.send(intent)
    await until(
      async () => ((await stateOf(worker, intent.id)) === 'sent' ? true : undefined),
      'it to be sent',
    )
    moved = by
    let looks = 0
    const next = start((operation, perform) => {
      if (operation === 'chain.receipt') looks++
      return perform()
    })
    await next.resume()
    await until(async () => (looks > 8 ? true : undefined), 'several looks')
    for (const one of [worker, next]) {
      expect((await one.find(intent.id))?.outcome.status).toBe('working')
      expect(await stateOf(one, intent.id)).toBe('sent')
    }
    // An expired session cannot replace it.
    const offer = await next.replacement(intent.id, 'cancel')
    await expect(
      next.replace({ id: intent.id, wish: 'cancel', ...acceptReplacement(offer, offer.least) }),
    ).rejects.toMatchObject({
      code: 'locked',
    })
    await stage.startMining()
    expect((await next.over<CallBatch>(intent.id)).outcome.status).toBe('done')
    expect(await used()).toBe(1)
    moved = 0
    expect((await next.find(intent.id))?.outcome.status).toBe('done')
  })
})
