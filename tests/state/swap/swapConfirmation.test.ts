import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Swap, SwapIntent } from '../../../src/domain/swap/swap.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import type { TokenPrice } from '../../../src/domain/value/price.ts'
import { WalletError } from '../../../src/errors.ts'
import { systemClock } from '../../../src/state/clock.ts'
import { createSwapFlow } from '../../../src/state/swap/swapFlow.ts'
import { standInWallet, swapOf } from '../../helpers/state/fakes.ts'
import { account, held, openSwapFlow, plan, review, router } from '../../helpers/state/swapFlow.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('confirming a swap', () => {
  it('hands over exactly the values that were shown', async () => {
    const handed: SwapIntent[] = []
    const store = openSwapFlow({
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
      {
        id,
        account,
        trade: plan.trade,
        slippageBps: 50,
        floor: 199n,
        router,
        feeCap: 9n,
        shown: { returns: 200n, networkFee: 3n },
      },
    ])
    expect(store.getState().stage).toEqual({ at: 'progress', id })
  })

  it('stores the market return and the prices known at that moment with the figures shown', async () => {
    const handed: SwapIntent[] = []
    const tracked: unknown[] = []
    const { chainId, sell, buy } = plan.trade
    const known: Record<string, TokenPrice> = { [buy]: { usd: 5n, per: 7n, source: 'oracle', ageSeconds: 3 } }
    const store = createSwapFlow(
      standInWallet({
        review: async () => ({ ...review, market: { returns: 203n, source: 'pool' } }),
        resimulate: async () => review.verdict,
        async swap(intent) {
          handed.push(intent)
          return swapOf(intent)
        },
      }),
      systemClock(),
      undefined,
      {
        track: (...asked) => void tracked.push(asked),
        price: (_chain, token) => known[token],
      },
    )
    await store.prepare(plan)
    expect(tracked).toEqual([[chainId, [sell, buy, nativeTokenAddress]]])
    await store.confirm()
    expect(handed[0]?.shown).toEqual({
      returns: 200n,
      networkFee: review.expectedFee,
      market: 203n,
      prices: { buy: { usd: 5n, per: 7n } },
    })
  })

  it('hands over the chosen options and the approval method that the review resolved', async () => {
    const handed: SwapIntent[] = []
    const asked: unknown[] = []
    const permission = { via: 'permit' } as const
    const store = openSwapFlow({
      async review(ask) {
        asked.push(ask)
        return { ...review, permission, networkFeeWorth: 3n, impactBps: 12 }
      },
      async swap(intent) {
        handed.push(intent)
        return swapOf(intent)
      },
    })
    const chosen = { options: { parts: 5 }, receiver: router, allowPartialFill: true, speed: 'fast' } as const
    await store.prepare({
      ...plan,
      ...chosen,
      permission: { via: 'approve', amount: 5n },
      atLeast: 150n,
      impactBps: 90,
    })
    await store.confirm()
    const { id } = handed[0]!
    expect(asked).toEqual([
      { ...plan, ...chosen, permission: { via: 'approve', amount: 5n }, atLeast: 150n, id },
    ])
    expect(handed).toEqual([
      {
        ...plan,
        ...chosen,
        id,
        permission,
        floor: 199n,
        router,
        feeCap: 9n,
        shown: { returns: 200n, networkFee: 3n, networkFeeWorth: 3n, impactBps: 12 },
      },
    ])
  })

  it('answers a dapp request with its filled amount and the reviewed minimum received', async () => {
    const said: unknown[] = []
    const store = openSwapFlow({
      async approve(...answer) {
        said.push(answer)
      },
      swaps: async () => [],
    })
    await store.prepare({ ...plan, request: { id: 'r', filled: 3n, floor: 150n } })
    await store.confirm()
    expect(said).toEqual([
      ['r', { kind: 'swap', filled: 3n, intent: expect.objectContaining({ floor: 199n }) }],
    ])
  })

  it('retries with the same intent when the worker stops before it answers', async () => {
    const handed: SwapIntent[] = []
    const store = openSwapFlow({
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

  it('keeps the intent for the next attempt when the worker stays away', async () => {
    const handed: SwapIntent[] = []
    let isBack = false
    const store = openSwapFlow({
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

  it('shows fresh numbers first when the review is too old, even when the timer is late', async () => {
    let ms = 0
    const handed: SwapIntent[] = []
    const swap = async (intent: SwapIntent) => {
      handed.push(intent)
      return swapOf(intent)
    }
    const asleep = { now: () => ms, after: () => () => {} }
    const store = createSwapFlow(standInWallet({ review: async () => review, swap }), asleep)
    await store.prepare(plan)
    const { stage } = store.getState()
    ms = 15_000
    await store.confirm()
    expect(store.getState().stage).toMatchObject({ at: 'review', plan: held })
    expect(store.getState().stage).not.toBe(stage)
    expect(handed).toEqual([])
    await store.confirm()
    expect(handed).toHaveLength(1)
  })

  it('asks only once when the worker refuses', async () => {
    let asked = 0
    const store = openSwapFlow({
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

  it('hands over one swap for two clicks', async () => {
    let asked = 0
    const store = openSwapFlow({
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

describe('following swaps', () => {
  const intentOf = (id: string): SwapIntent => ({ id, ...plan, floor: 199n, router, feeCap: 9n })

  it('shows a swap in progress when the popup opens again', async () => {
    const over = swapOf(intentOf('1'), { status: 'done', received: 200n }, 5)
    const open = swapOf(intentOf('2'), { status: 'working' }, 9)
    const store = openSwapFlow({ swaps: async () => [over, open] })
    await store.load()
    expect(store.getState()).toEqual({ stage: { at: 'progress', id: '2' }, swaps: [open, over] })
  })

  it('stays on the form when all swaps are finished', async () => {
    const store = openSwapFlow({
      swaps: async () => [swapOf(intentOf('1'), { status: 'done', received: 200n })],
    })
    await store.load()
    expect(store.getState().stage).toEqual({ at: 'form' })
  })

  it('replaces a known swap with the update from the worker', () => {
    const store = openSwapFlow({})
    store.heard(swapOf(intentOf('1')))
    store.heard(swapOf(intentOf('2'), { status: 'working' }, 2))
    store.heard(swapOf(intentOf('1'), { status: 'done', received: 200n }))
    expect(store.getState().swaps.map(({ intent, outcome }) => [intent.id, outcome.status])).toEqual([
      ['2', 'working'],
      ['1', 'done'],
    ])
  })
})

describe('a swap in progress', () => {
  it('polls every two seconds until the swap is finished, even after the worker stopped', async () => {
    let asked = 0
    let outcome: Swap['outcome'] = { status: 'working' }
    const swaps = async () => {
      asked += 1
      if (asked === 2) throw new WalletError('worker-stopped', 'The wallet restarted.')
      return [swapOf({ ...plan, id: 'a', floor: 1n, router, feeCap: 1n }, outcome)]
    }
    const store = openSwapFlow({ swaps })
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
