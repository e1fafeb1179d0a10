import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { toShown } from '../../../src/domain/activity/worse.ts'
import { WalletError } from '../../../src/errors.ts'
import type { SendPlan } from '../../../src/state/send/sendPlan.ts'
import { account, dai, friend, sending } from '../../helpers/samples/activitySamples.ts'
import { pending, standInSession, usdc } from '../../helpers/state/fakes.ts'
import { opening, openSendForm, plan, preview, sent, tried } from '../../helpers/state/sendForm.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('confirming a transfer', () => {
  it('sends the shown values and clears the form', async () => {
    const store = openSendForm()
    await store.open(opening)
    store.setText('5')
    await store.prepare(plan)
    const { stage } = store.getState()
    const id = stage.at === 'review' ? stage.id : ''
    await store.confirm()
    const expected = toShown(preview.simulation)
    expect(sent).toEqual([{ ...tried[0], id, feeCap: preview.feeCap, expected }])
    expect(store.getState()).toMatchObject({ stage: { at: 'sent', id }, text: '', to: '' })
  })

  it.each(['outcome-changed', 'would-fail'] as const)('requires a new review after %s', async (code) => {
    const store = openSendForm({ send: () => Promise.reject(new WalletError(code, 'No.')) })
    await store.prepare(plan)
    await store.confirm()
    expect(store.getState().stage).toMatchObject({ at: 'unprepared', plan, error: { code } })
    await store.prepare(plan)
    expect(store.getState().stage).toMatchObject({ at: 'review', preview })
  })

  it('keeps the same id when it is confirmed again', async () => {
    let fails = true
    const store = openSendForm({
      async send(ask) {
        sent.push(ask)
        if (fails) throw new WalletError('storage-failed', 'Full.')
        return sending()
      },
    })
    await store.prepare(plan)
    await store.confirm()
    expect(store.getState().stage).toMatchObject({ at: 'refused', error: { code: 'storage-failed' } })
    fails = false
    await store.confirm()
    expect(sent).toHaveLength(2)
    expect(sent[1]).toEqual(sent[0])
  })

  it('hands the price at confirmation over with the transfer', async () => {
    const store = openSendForm({
      async send(ask) {
        sent.push(ask)
        return sending()
      },
    })
    await store.prepare(plan)
    await store.confirm({ usd: 3n, per: 4n })
    expect(sent.at(-1)).toMatchObject({ price: { usd: 3n, per: 4n } })
  })

  it('clears the form when the screen was left before the worker answered', async () => {
    const answer = pending<ReturnType<typeof sending>>()
    const store = openSendForm({ send: () => answer.promise })
    await store.open(opening)
    store.setText('5')
    await store.prepare(plan)
    const confirming = store.confirm()
    store.leave()
    expect(store.getState().text).toBe('5')
    answer.resolve(sending())
    await confirming
    expect(store.getState()).toMatchObject({ stage: { at: 'form' }, text: '' })
  })

  it('keeps the confirmation for another account or network until its result is known', async () => {
    const answer = pending<ReturnType<typeof sending>>()
    const store = openSendForm({ send: () => answer.promise })
    await store.open(opening)
    await store.prepare(plan)
    const confirming = store.confirm()
    store.leave()
    await store.open({ ...opening, account: dai })
    await store.open({ ...opening, chainId: 1 })
    expect(store.getState().stage).toMatchObject({ at: 'confirming', plan })
    answer.reject(new WalletError('storage-failed', 'Full.'))
    await confirming
    expect(store.getState().stage).toMatchObject({ at: 'refused', plan, error: { code: 'storage-failed' } })
  })

  it('shows the sent transfer when the form was opened again before the worker answered', async () => {
    const answer = pending<ReturnType<typeof sending>>()
    const store = openSendForm({ send: () => answer.promise })
    await store.open(opening)
    await store.prepare(plan)
    const confirming = store.confirm()
    store.leave()
    await store.open(opening)
    answer.resolve(sending())
    await confirming
    expect(store.getState().stage).toMatchObject({ at: 'sent' })
  })
})

describe('transfers with an unknown result', () => {
  const stopped = () => Promise.reject(new WalletError('worker-stopped', 'Gone.'))

  it('reuses the id for the same transfer after the worker stopped, and not for another transfer', async () => {
    const ids: string[] = []
    const store = openSendForm({
      send: (ask) => {
        ids.push(ask.id)
        return stopped()
      },
    })
    await store.open(opening)
    const confirm = async (wanted: SendPlan) => {
      await store.prepare(wanted)
      const confirming = store.confirm()
      await vi.advanceTimersByTimeAsync(60_000)
      await confirming
      expect(store.getState().stage).toMatchObject({ at: 'refused', error: { code: 'worker-stopped' } })
      store.leave()
      return ids.at(-1)
    }
    const first = await confirm(plan)
    expect(await confirm({ ...plan, speed: 'fast' })).toBe(first)
    expect(await confirm({ ...plan, amount: 6n })).not.toBe(first)
  })

  it('uses a new id after a refusal, and for a transfer that is filled in once more', async () => {
    const answers = [() => Promise.reject(new WalletError('storage-failed', 'Full.')), stopped]
    const ids: string[] = []
    const store = openSendForm({
      send: (ask) => {
        ids.push(ask.id)
        return (answers.shift() ?? stopped)()
      },
    })
    await store.open(opening)
    for (const filled of [false, false, true]) {
      if (filled) store.fill({ chainId: 31337, account, token: usdc, text: '5', to: friend })
      store.leave()
      await store.prepare(plan)
      const confirming = store.confirm()
      await vi.advanceTimersByTimeAsync(60_000)
      await confirming
    }
    expect(new Set(ids).size).toBe(3)
  })

  /** The popup closes on confirm, before the worker answers. */
  async function closed(session = standInSession()) {
    const told: unknown[] = []
    const store = openSendForm(
      {
        send: async (ask) => {
          told.push(await session.get('send'), ask.id)
          return new Promise(() => undefined)
        },
      },
      session,
    )
    await store.open({ ...opening, wanted: usdc.address })
    store.setText('5')
    store.setTo(friend)
    await store.prepare(plan)
    store.confirm()
    await vi.advanceTimersByTimeAsync(0)
    const [draft, id] = told
    return { session, draft, id: String(id) }
  }

  it('stores the draft with the id before the worker is asked', async () => {
    const { draft, id } = await closed()
    expect(draft).toMatchObject({ text: '5', handed: { id } })
  })

  it('deletes the draft in the next popup when the worker has the transfer', async () => {
    const { session, id } = await closed()
    const asked: string[] = []
    const next = openSendForm(
      {
        async callBatch(one) {
          asked.push(one)
          return sending()
        },
      },
      session,
    )
    await next.open({ ...opening, wanted: usdc.address })
    expect(asked).toEqual([id])
    expect(next.getState()).toMatchObject({ text: '', to: '', stage: { at: 'form' } })
    expect(await session.get('send')).not.toHaveProperty('handed')
  })

  it('restores the draft with the same id when the worker lacks the transfer or cannot answer', async () => {
    for (const answer of [async () => undefined, () => Promise.reject(new Error('Late.'))]) {
      const { session, id } = await closed()
      const next = openSendForm({ callBatch: answer }, session)
      await next.open(opening)
      expect(next.getState()).toMatchObject({ text: '5', to: friend })
      await next.prepare(plan)
      await next.confirm()
      expect(sent).toMatchObject([{ id }])
      expect(await session.get('send')).not.toHaveProperty('handed')
      await next.prepare(plan)
      await next.confirm()
      expect(sent[1]?.id).not.toBe(id)
    }
  })

  it('keeps the id when another account opens the form in between', async () => {
    const { session, id } = await closed()
    const between = openSendForm({}, session)
    await between.open({ ...opening, account: dai })
    between.setText('2')
    const next = openSendForm({}, session)
    await next.open(opening)
    await next.prepare(plan)
    await next.confirm()
    expect(sent).toMatchObject([{ id }])
  })

  it('stores the draft without the id after a refusal, and not at all when the wallet is locked', async () => {
    for (const [code, kept] of [
      ['storage-failed', { text: '5', to: friend }],
      ['locked', null],
    ] as const) {
      const session = standInSession()
      const store = openSendForm({ send: () => Promise.reject(new WalletError(code, 'No.')) }, session)
      await store.open({ ...opening, wanted: usdc.address })
      store.setText('5')
      store.setTo(friend)
      await store.prepare(plan)
      await store.confirm()
      const draft = await session.get('send')
      if (kept === null) expect(draft).toBeNull()
      else {
        expect(draft).toMatchObject(kept)
        expect(draft).not.toHaveProperty('handed')
      }
    }
  })
})
