import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SimulationVerdict } from '../../../src/domain/activity/simulation.ts'
import type { Review, SwapIntent } from '../../../src/domain/swap/swap.ts'
import { WalletError } from '../../../src/errors.ts'
import type { SwapFlowState } from '../../../src/state/swap/swapFlow.ts'
import { createSession } from '../../../src/vault/storage/session.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'
import { key } from '../../helpers/background/worker.ts'
import { pending, swapOf } from '../../helpers/state/fakes.ts'
import { account, held, openSwapFlow, plan, review } from '../../helpers/state/swapFlow.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('swap review', () => {
  it('creates a random 16-byte hex id for the intent when it opens', async () => {
    const store = openSwapFlow({})
    const ids = new Set<string>()
    for (let time = 0; time < 50; time += 1) {
      await store.prepare(plan)
      const { stage } = store.getState()
      expect(stage).toMatchObject({ at: 'review', review, plan: held })
      if (stage.at === 'review') ids.add(stage.id)
    }
    expect(ids.size).toBe(50)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/)
  })

  it('keeps the error when the review cannot be made', async () => {
    const store = openSwapFlow({
      review: () => Promise.reject(new WalletError('estimation-failed', 'It would revert.')),
    })
    await store.prepare(plan)
    expect(store.getState().stage).toMatchObject({
      at: 'unprepared',
      plan,
      error: { code: 'estimation-failed' },
    })
  })

  it('renews the review after 15 seconds, until it is left', async () => {
    let made = 0
    const store = openSwapFlow({
      review: async () => {
        made += 1
        return review
      },
    })
    await store.prepare(plan)
    const { stage } = store.getState()
    await vi.advanceTimersByTimeAsync(14_999)
    expect(store.getState().stage).toBe(stage)
    await vi.advanceTimersByTimeAsync(1)
    expect(made).toBe(2)
    expect(store.getState().stage).toMatchObject({ at: 'review' })

    store.leave()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(made).toBe(2)
  })

  it('requests every renewal with the minimum received of the first review', async () => {
    const asked: (bigint | undefined)[] = []
    const floors = [199n, 205n, 199n, 205n, 205n]
    const recheck = async () => (asked.length === 4 ? undefined : review.verdict)
    const store = openSwapFlow({
      async review({ atLeast }) {
        asked.push(atLeast)
        return { ...review, floor: floors[asked.length - 1] ?? 0n }
      },
      resimulate: recheck,
    })
    await store.prepare(plan)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(asked).toEqual([undefined, 199n])
    await store.change({ speed: 'fast' })
    store.setHidden(true)
    await vi.advanceTimersByTimeAsync(60_000)
    store.setHidden(false)
    await vi.advanceTimersByTimeAsync(2_000)
    // Not the higher value in between.
    expect(asked).toEqual([undefined, 199n, 199n, 199n, 199n])
  })

  it('uses the minimum received of the form when it showed one', async () => {
    const asked: (bigint | undefined)[] = []
    const store = openSwapFlow({
      async review({ atLeast }) {
        asked.push(atLeast)
        return review
      },
    })
    await store.prepare({ ...plan, atLeast: 150n })
    await vi.advanceTimersByTimeAsync(15_000)
    expect(asked).toEqual([150n, 150n])
  })

  it('takes no minimum received from a review that cannot be signed', async () => {
    const asked: (bigint | undefined)[] = []
    const store = openSwapFlow({
      async review({ atLeast }) {
        asked.push(atLeast)
        return { ...review, verdict: { status: 'reverts', reason: 'paused' } }
      },
    })
    await store.prepare(plan)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(asked).toEqual([undefined, undefined])
  })

  it('uses the price impact of the form when the review has none', async () => {
    const impactOf = async (known: Partial<Review>) => {
      const store = openSwapFlow({ review: async () => ({ ...review, ...known }) })
      await store.prepare({ ...plan, impactBps: 700 })
      const { stage } = store.getState()
      return stage.at === 'review' && stage.review.impactBps
    }
    expect(await impactOf({})).toBe(700)
    expect(await impactOf({ impactBps: 30 })).toBe(30)
  })

  it('fails and keeps the minimum received when it is no longer available', async () => {
    const store = openSwapFlow({
      async review({ atLeast = 0n }) {
        if (atLeast > 150n) throw new WalletError('below-floor', 'Too little.')
        return review
      },
    })
    await store.prepare(plan)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(store.getState().stage).toMatchObject({
      at: 'unprepared',
      plan: held,
      error: { code: 'below-floor' },
    })
  })

  it('passes the accepted price to the review and leaves the acceptance out of the intent', async () => {
    const asked: unknown[] = []
    const handed: SwapIntent[] = []
    const store = openSwapFlow({
      async review(ask) {
        asked.push(ask)
        return review
      },
      async swap(intent) {
        handed.push(intent)
        return swapOf(intent)
      },
    })
    await store.prepare({ ...held, isAccepted: true })
    expect(asked).toMatchObject([{ atLeast: 199n, isAccepted: true }])
    await store.confirm()
    expect(handed).toMatchObject([{ floor: 199n }])
    expect(handed[0]).not.toHaveProperty('isAccepted')
  })

  it('does not send the price impact of the form to the worker', async () => {
    const asked: unknown[] = []
    const store = openSwapFlow({
      async review(ask) {
        asked.push(ask)
        return review
      },
    })
    await store.prepare({ ...plan, impactBps: 700 })
    const { stage } = store.getState()
    expect(stage).toMatchObject({ plan: { impactBps: 700 } })
    expect(asked).toEqual([{ ...plan, id: stage.at === 'review' && stage.id }])
  })

  it('does not open when it was left before the review arrived', async () => {
    const slow = pending<Review>()
    const store = openSwapFlow({ review: () => slow.promise })
    const preparing = store.prepare(plan)
    store.leave()
    slow.resolve(review)
    await preparing
    expect(store.getState().stage).toEqual({ at: 'form' })
  })
})

describe('hidden or inactive review', () => {
  function counted() {
    const counts = { reviews: 0, rechecks: 0 }
    const store = openSwapFlow({
      async review() {
        counts.reviews += 1
        return review
      },
      async resimulate() {
        counts.rechecks += 1
        return review.verdict
      },
    })
    return { store, counts }
  }

  it('requests nothing while hidden, and renews the review when it is shown again', async () => {
    const { store, counts } = counted()
    await store.prepare(plan)
    store.setHidden(true)
    await vi.advanceTimersByTimeAsync(60 * 60_000)
    expect(counts).toEqual({ reviews: 1, rechecks: 0 })
    store.setHidden(false)
    expect(store.getState().stage).toMatchObject({ at: 'preparing', plan: held })
    await vi.advanceTimersByTimeAsync(0)
    expect(store.getState().stage.at).toBe('review')
    await vi.advanceTimersByTimeAsync(15_000)
    expect(counts.reviews).toBe(3)
  })

  it('simulates again at once when it is shown again before it is too old', async () => {
    const { store, counts } = counted()
    await store.prepare(plan)
    store.setHidden(true)
    await vi.advanceTimersByTimeAsync(5_000)
    store.setHidden(false)
    await vi.advanceTimersByTimeAsync(0)
    expect(counts).toEqual({ reviews: 1, rechecks: 1 })
    await vi.advanceTimersByTimeAsync(2_000)
    expect(counts).toEqual({ reviews: 1, rechecks: 2 })
  })

  it('stops after five minutes of inactivity until it is requested again', async () => {
    const { store, counts } = counted()
    await store.prepare(plan)
    await vi.advanceTimersByTimeAsync(4 * 60_000)
    store.touch()
    await vi.advanceTimersByTimeAsync(299_000)
    expect(store.getState().stage.at).toBe('review')
    await vi.advanceTimersByTimeAsync(16_000)
    const rests = { at: 'unprepared', plan: held, error: { code: 'stale-review' } }
    expect(store.getState().stage).toMatchObject(rests)
    const before = { ...counts }
    await vi.advanceTimersByTimeAsync(60 * 60_000)
    expect(counts).toEqual(before)
    await store.prepare(plan)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(counts.reviews).toBe(before.reviews + 2)
  })
})

describe('automatic renewal', () => {
  it('lets the session expire after a minute without user activity', async () => {
    const session = createSession(memoryArea(), Date.now, async () => 1)
    await session.start(key.dataKey)
    const store = openSwapFlow({
      async review({ unattended }) {
        if (!unattended) await session.extend()
        return review
      },
    })
    await store.prepare(plan)
    await vi.advanceTimersByTimeAsync(40_000)
    store.touch()
    // The next review is due after 45 s.
    await vi.advanceTimersByTimeAsync(64_999)
    expect(await session.dataKey()).toBe(key.dataKey)
    await vi.advanceTimersByTimeAsync(1)
    expect(await session.dataKey()).toBeUndefined()
    expect(store.getState().stage.at).toBe('review')
  })
})

describe('changing review options', () => {
  it('reviews again with the change and keeps all other options', async () => {
    const asked: unknown[] = []
    const store = openSwapFlow({
      async review({ id: _, ...ask }) {
        asked.push(ask)
        return review
      },
    })
    await store.change({ speed: 'fast' })
    expect(asked).toEqual([])
    await store.prepare({ ...plan, receiver: account })
    await store.change({ permission: { via: 'approve', amount: 500n } })
    await store.change({ speed: 'fast' })
    expect(asked.at(-1)).toEqual({
      ...held,
      receiver: account,
      permission: { via: 'approve', amount: 500n },
      speed: 'fast',
    })
    expect(store.getState().stage.at).toBe('review')
  })

  it('applies a change that is made while a review is loading', async () => {
    const slow = pending<Review>()
    const speeds: unknown[] = []
    const store = openSwapFlow({
      review({ speed }) {
        speeds.push(speed)
        return speed === undefined ? slow.promise : Promise.resolve(review)
      },
    })
    const preparing = store.prepare(plan)
    await store.change({ speed: 'fast' })
    slow.resolve(review)
    await preparing
    expect(speeds).toEqual([undefined, 'fast'])
    expect(store.getState().stage).toMatchObject({ at: 'review', plan: { speed: 'fast' } })
  })
})

describe('simulation verdict', () => {
  it.each<SimulationVerdict>([
    { status: 'below-floor', received: 1n, seen: { changes: [], grants: [] } },
    { status: 'unexpected', seen: { changes: [], grants: [] }, what: [] },
    { status: 'reverts', reason: 'no' },
  ])('does not hand over the swap when the verdict is $status', async (verdict) => {
    const handed: SwapIntent[] = []
    const store = openSwapFlow({
      review: async () => ({ ...review, verdict }),
      async swap(intent) {
        handed.push(intent)
        return swapOf(intent)
      },
    })
    await store.prepare(plan)
    await store.confirm()
    expect(store.getState().stage).toMatchObject({ at: 'review' })
    expect(handed).toEqual([])
  })

  const matches: SimulationVerdict = { status: 'matches', received: 200n, seen: { changes: [], grants: [] } }
  const below: SimulationVerdict = { ...matches, status: 'below-floor', received: 1n }
  const verdictOf = ({ stage }: SwapFlowState) => (stage.at === 'review' ? stage.review.verdict : undefined)

  it.each([
    [31337, 2_000],
    [1, 4_000],
  ])('repeats the simulation while the review is open: on chain %i every %i ms', async (chainId, everyMs) => {
    const asked: string[] = []
    const store = openSwapFlow({
      async resimulate(id) {
        asked.push(id)
        return asked.length === 1 ? matches : below
      },
    })
    await store.prepare({ ...plan, trade: { ...plan.trade, chainId } })
    const { stage } = store.getState()
    await vi.advanceTimersByTimeAsync(everyMs - 1)
    expect(asked).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(store.getState().stage).toEqual({ ...stage, review: { ...review, verdict: matches } })
    await vi.advanceTimersByTimeAsync(everyMs)
    expect(verdictOf(store.getState())).toEqual(below)
    expect(asked).toEqual([stage, stage].map((one) => one.at === 'review' && one.id))
    store.leave()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toHaveLength(2)
  })

  it('keeps the verdict when the simulation fails, and still renews the review in time', async () => {
    const ids: string[] = []
    const store = openSwapFlow({
      async review({ id }) {
        ids.push(id)
        return { ...review, verdict: matches }
      },
      resimulate: () => Promise.reject(new WalletError('node-timeout', 'No answer.')),
    })
    await store.prepare(plan)
    await vi.advanceTimersByTimeAsync(14_999)
    expect(verdictOf(store.getState())).toEqual(matches)
    expect(ids).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(ids).toHaveLength(2)
  })

  it('does not update the state for an equal verdict', async () => {
    const store = openSwapFlow({
      review: async () => ({ ...review, verdict: matches }),
      resimulate: async () => structuredClone(matches),
    })
    await store.prepare(plan)
    const { stage } = store.getState()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(store.getState().stage).toBe(stage)
  })

  it('renews the review when the worker no longer knows it', async () => {
    const ids: string[] = []
    const store = openSwapFlow({
      async review({ id }) {
        ids.push(id)
        return review
      },
      resimulate: async (id) => (id === ids[0] ? undefined : matches),
    })
    await store.prepare(plan)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(ids).toHaveLength(2)
    expect(store.getState().stage).toMatchObject({ at: 'review', id: ids[1], review: { verdict: matches } })
  })

  it('ignores a late verdict after the swap was confirmed', async () => {
    const slow = pending<SimulationVerdict | undefined>()
    const store = openSwapFlow({ resimulate: () => slow.promise, swap: async (intent) => swapOf(intent) })
    await store.prepare(plan)
    await vi.advanceTimersByTimeAsync(2_000)
    await store.confirm()
    const { stage } = store.getState()
    slow.resolve(undefined)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(store.getState().stage).toBe(stage)
    expect(stage.at).toBe('progress')
  })
})
