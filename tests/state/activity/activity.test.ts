import { describe, expect, it } from 'vitest'
import type { CallBatch } from '../../../src/domain/activity/callBatch.ts'
import {
  type ActivityEntry,
  getEntryId,
  type IncomingTransfer,
} from '../../../src/domain/activity/incoming.ts'
import type { Swap } from '../../../src/domain/swap/swap.ts'
import { WalletError } from '../../../src/errors.ts'
import { createActivity } from '../../../src/state/activity/activity.ts'
import type { Clock } from '../../../src/state/clock.ts'
import { failed, incoming, sending, swap } from '../../helpers/samples/activitySamples.ts'
import { pending, standInWallet } from '../../helpers/state/fakes.ts'

function handClock() {
  const due = new Map<number, () => void>()
  let made = 0
  const clock: Clock = {
    now: () => 0,
    after(_ms, action) {
      const mine = ++made
      due.set(mine, action)
      return () => void due.delete(mine)
    },
  }
  return {
    clock,
    waiting: () => due.size,
    async run() {
      const actions = [...due.values()]
      due.clear()
      for (const action of actions) action()
      await settled()
    },
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve))

const working = { outcome: { status: 'working' } } as const

function create(lists: { swaps: Swap[]; sendings: CallBatch[]; incoming?: IncomingTransfer[] }) {
  const hand = handClock()
  let asked = 0
  const wallet = standInWallet({
    async swaps() {
      asked += 1
      return lists.swaps
    },
    callBatches: async () => lists.sendings,
    incomingTransfers: async () => lists.incoming ?? [],
  })
  return { ...hand, activity: createActivity(wallet, hand.clock), asked: () => asked }
}

const ids = (entries: ActivityEntry[] | undefined) => entries?.map(getEntryId)
const [one, two, three] = ['01', '02', '03'].map((byte) => byte.repeat(16)) as [string, string, string]

describe('activity store', () => {
  it('lists swaps and call batches, the newest first', async () => {
    const { activity } = create({
      swaps: [swap({ createdAt: 5 }, { id: one }), swap({ createdAt: 1 }, { id: three })],
      sendings: [sending({ createdAt: 3 }, { id: two })],
    })
    expect(activity.getState().entries).toBeUndefined()
    await activity.refresh()
    expect(ids(activity.getState().entries)).toEqual([one, two, three])
  })

  it('lists incoming transfers among them, and those that the worker reports', async () => {
    const { activity } = create({
      swaps: [swap({ createdAt: 5 }, { id: one })],
      sendings: [],
      incoming: [{ ...incoming, id: two, createdAt: 7 }],
    })
    await activity.refresh()
    expect(ids(activity.getState().entries)).toEqual([two, one])
    activity.heard({ ...incoming, id: three, createdAt: 9 })
    expect(ids(activity.getState().entries)).toEqual([three, two, one])
  })

  it('updates known entries and adds new ones when the worker reports them', async () => {
    const { activity } = create({ swaps: [swap({ createdAt: 1 }, { id: one })], sendings: [] })
    activity.heard(sending({ createdAt: 9 }, { id: two }))
    expect(activity.getState().entries).toBeUndefined()
    await activity.refresh()
    activity.heard(swap({ createdAt: 1, outcome: failed('cancelled') }, { id: one }))
    activity.heard(sending({ createdAt: 2 }, { id: three }))
    expect(ids(activity.getState().entries)).toEqual([three, one])
    expect(activity.getState().entries![1]).toMatchObject({ outcome: { code: 'cancelled' } })
  })

  it('prefers an update received during a read to the result of the read', async () => {
    const answer = pending<Swap[]>()
    const wallet = standInWallet({
      swaps: () => answer.promise,
      callBatches: async () => [],
      incomingTransfers: async () => [],
    })
    const activity = createActivity(wallet, handClock().clock)
    const watching = activity.refresh()
    activity.heard(swap({ outcome: failed('cancelled') }, { id: one }))
    answer.resolve([swap(working, { id: one })])
    await watching
    expect(activity.getState().entries).toMatchObject([{ outcome: { code: 'cancelled' } }])
  })

  it('keeps an update received during a read that several callers share', async () => {
    const answer = pending<Swap[]>()
    let asked = 0
    const swaps = () => {
      asked += 1
      return answer.promise
    }
    const activity = createActivity(
      standInWallet({ swaps, callBatches: async () => [], incomingTransfers: async () => [] }),
      handClock().clock,
    )
    activity.watch()
    activity.heard(swap({ outcome: failed('cancelled') }, { id: one }))
    activity.watch()
    const again = activity.refresh()
    answer.resolve([swap(working, { id: one })])
    await again
    expect(activity.getState().entries).toMatchObject([{ outcome: { code: 'cancelled' } }])
    expect(asked).toBe(1)
  })

  it('polls while an entry is pending, until the last watcher has left', async () => {
    const lists = { swaps: [], sendings: [sending(working)] }
    const { activity, asked, run, waiting } = create(lists)
    const leave = activity.watch()
    await settled()
    expect([asked(), waiting()]).toEqual([1, 1])
    await run()
    expect([asked(), waiting()]).toEqual([2, 1])
    const leaveToo = activity.watch()
    await settled()
    expect([asked(), waiting()]).toEqual([2, 1])
    leave()
    leave()
    expect(waiting()).toBe(1)
    leaveToo()
    expect(waiting()).toBe(0)
    activity.watch()
    lists.sendings = [sending()]
    await settled()
    await run()
    expect([asked(), waiting()]).toEqual([4, 0])
  })

  it('does not poll after a single refresh', async () => {
    const { activity, asked, waiting } = create({ swaps: [], sendings: [sending(working)] })
    await activity.refresh()
    activity.heard(sending(working, { id: two }))
    expect([asked(), waiting()]).toEqual([1, 0])
  })

  it('reports the read error until a read succeeds', async () => {
    let isDown = true
    const wallet = standInWallet({
      async swaps() {
        if (isDown) throw new WalletError('storage-failed', 'No disk.')
        return [swap(working)]
      },
      callBatches: async () => [],
      incomingTransfers: async () => [],
    })
    const { clock, run } = handClock()
    const activity = createActivity(wallet, clock)
    activity.watch()
    await settled()
    expect(activity.getState()).toMatchObject({ entries: undefined, error: { code: 'storage-failed' } })
    isDown = false
    await activity.refresh()
    expect(activity.getState()).toMatchObject({ entries: [{}], error: undefined })
    // Known entries stay.
    isDown = true
    await run()
    isDown = false
    await run()
    expect(activity.getState()).toMatchObject({ entries: [{}], error: undefined })
  })
})
