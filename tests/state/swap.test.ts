import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Review, Swap, SwapIntent } from '../../src/domain/swap.ts'
import { WalletError } from '../../src/errors.ts'
import type { Wallet } from '../../src/protocol.ts'
import { systemClock } from '../../src/state/clock.ts'
import { createSwap, type Plan } from '../../src/state/swap.ts'
import { pending, quoteOf, standInWallet, tradeOfAmount } from './standIns.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const account = `0x${'1'.repeat(40)}` as const
const router = `0x${'2'.repeat(40)}` as const
const plan: Plan = { account, trade: tradeOfAmount(100n), slippageBps: 50 }
const review: Review = {
  quote: quoteOf(plan.trade),
  floor: 199n,
  router,
  steps: ['swap'],
  networkFee: 7n,
  feeCap: 9n,
}

function swapOf(intent: SwapIntent, outcome: Swap['outcome'] = { status: 'working' }, createdAt = 1): Swap {
  return { intent, createdAt, steps: [{ kind: 'swap', state: 'waiting' }], outcome }
}

function opened(methods: Partial<Wallet>) {
  return createSwap(standInWallet({ review: async () => review, ...methods }), systemClock())
}

describe('the review', () => {
  it('makes the id of the intent when it opens: 16 random bytes as hex', async () => {
    const store = opened({})
    const ids = new Set<string>()
    for (let time = 0; time < 50; time += 1) {
      await store.prepare(plan)
      const { stage } = store.getState()
      expect(stage).toMatchObject({ at: 'review', review, plan })
      if (stage.at === 'review') ids.add(stage.id)
    }
    expect(ids.size).toBe(50)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/)
  })

  it('keeps the reason when it cannot be made', async () => {
    const store = opened({
      review: () => Promise.reject(new WalletError('estimation-failed', 'It would revert.')),
    })
    await store.prepare(plan)
    expect(store.getState().stage).toMatchObject({
      at: 'unprepared',
      plan,
      error: { code: 'estimation-failed' },
    })
  })

  it('is made anew when its numbers are too old to sign', async () => {
    let made = 0
    const store = opened({
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

  it('does not come back after somebody left', async () => {
    const slow = pending<Review>()
    const store = opened({ review: () => slow.promise })
    const preparing = store.prepare(plan)
    store.leave()
    slow.resolve(review)
    await preparing
    expect(store.getState().stage).toEqual({ at: 'form' })
  })
})

describe('confirming', () => {
  it('hands over exactly the numbers that were on the screen', async () => {
    const handed: SwapIntent[] = []
    const store = opened({
      async swap(intent) {
        handed.push(intent)
        return swapOf(intent)
      },
    })
    await store.prepare(plan)
    const { stage } = store.getState()
    await store.confirm()
    const id = stage.at === 'review' ? stage.id : ''
    expect(handed).toEqual([
      { id, account, trade: plan.trade, slippageBps: 50, floor: 199n, router, feeCap: 9n },
    ])
    expect(store.getState().stage).toEqual({ at: 'progress', id })
  })

  it('asks again with the same intent when the worker stops before it answers', async () => {
    const handed: SwapIntent[] = []
    const store = opened({
      async swap(intent) {
        handed.push(intent)
        if (handed.length < 4) throw new WalletError('worker-stopped', 'Stopped.')
        return swapOf(intent)
      },
    })
    await store.prepare(plan)
    const confirmed = store.confirm()
    await vi.advanceTimersByTimeAsync(5_000)
    await confirmed
    expect(handed).toHaveLength(4)
    expect(new Set(handed.map(({ id }) => id)).size).toBe(1)
    expect(handed.every((intent) => intent.floor === 199n)).toBe(true)
    expect(store.getState().stage.at).toBe('progress')
  })

  it('keeps the intent through a worker that stays away, for the next try', async () => {
    const handed: SwapIntent[] = []
    let isBack = false
    const store = opened({
      async swap(intent) {
        handed.push(intent)
        if (!isBack) throw new WalletError('worker-stopped', 'Stopped.')
        return swapOf(intent)
      },
    })
    await store.prepare(plan)
    const confirmed = store.confirm()
    await vi.advanceTimersByTimeAsync(5_000)
    await confirmed
    expect(store.getState().stage).toMatchObject({ at: 'refused', error: { code: 'worker-stopped' } })
    isBack = true
    await store.confirm()
    expect(handed).toHaveLength(6)
    expect(new Set(handed.map(({ id }) => id)).size).toBe(1)
  })

  it('asks once only when the worker refuses', async () => {
    let asked = 0
    const store = opened({
      async swap() {
        asked += 1
        throw new WalletError('stale-review', 'Changed.')
      },
    })
    await store.prepare(plan)
    await store.confirm()
    expect(asked).toBe(1)
    expect(store.getState().stage).toMatchObject({ at: 'refused', error: { code: 'stale-review' } })
  })

  it('does nothing twice for two clicks', async () => {
    let asked = 0
    const store = opened({
      async swap(intent) {
        asked += 1
        return swapOf(intent)
      },
    })
    await store.prepare(plan)
    await Promise.all([store.confirm(), store.confirm()])
    expect(asked).toBe(1)
  })
})

describe('following', () => {
  const intentOf = (id: string): SwapIntent => ({ id, ...plan, floor: 199n, router, feeCap: 9n })

  it('shows a swap under way as soon as the popup opens again', async () => {
    const over = swapOf(intentOf('1'), { status: 'done', received: 200n }, 5)
    const open = swapOf(intentOf('2'), { status: 'working' }, 9)
    const store = opened({ swaps: async () => [over, open] })
    await store.load()
    expect(store.getState()).toEqual({ stage: { at: 'progress', id: '2' }, swaps: [open, over] })
  })

  it('stays on the form when all swaps are over', async () => {
    const store = opened({ swaps: async () => [swapOf(intentOf('1'), { status: 'done', received: 200n })] })
    await store.load()
    expect(store.getState().stage).toEqual({ at: 'form' })
  })

  it('takes what the worker tells in place of what it knew', () => {
    const store = opened({})
    store.heard(swapOf(intentOf('1')))
    store.heard(swapOf(intentOf('2'), { status: 'working' }, 2))
    store.heard(swapOf(intentOf('1'), { status: 'done', received: 200n }))
    expect(store.getState().swaps.map(({ intent, outcome }) => [intent.id, outcome.status])).toEqual([
      ['2', 'working'],
      ['1', 'done'],
    ])
  })
})

describe('a swap under way', () => {
  it('is asked about every two seconds, so that a stopped worker starts again, until it is over', async () => {
    let asked = 0
    let outcome: Swap['outcome'] = { status: 'working' }
    const swaps = async () => {
      asked += 1
      if (asked === 2) throw new WalletError('worker-stopped', 'The wallet restarted.')
      return [swapOf({ ...plan, id: 'a', floor: 1n, router, feeCap: 1n }, outcome)]
    }
    const store = opened({ swaps })
    await store.load()
    await vi.advanceTimersByTimeAsync(6_000)
    expect(asked).toBe(4)

    outcome = { status: 'done', received: 5n }
    await vi.advanceTimersByTimeAsync(2_000)
    expect(store.getState().swaps[0]?.outcome).toEqual(outcome)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toBe(5)
  })
})
