import { beforeEach, describe, expect, it } from 'vitest'
import { createActivityList, findIn } from '../../../src/state/activity/activityList.ts'
import {
  account,
  failed,
  friend,
  nameOf,
  revocation,
  swap,
  transfer,
} from '../../helpers/samples/activitySamples.ts'

const theirs = swap({ createdAt: 1 }, { id: '05'.repeat(16), account: friend })
const off = swap({ createdAt: 2, outcome: failed('cancelled') }, { id: '06'.repeat(16) })
const entries = [transfer, revocation, off, swap(), theirs]
const here = { account, chainId: 1 }

describe('activity list', () => {
  let list: ReturnType<typeof createActivityList>
  beforeEach(() => {
    list = createActivityList()
  })
  const found = () => findIn(entries, list.getState(), here, { tokenOf: nameOf, personOf: () => undefined })

  it('starts with all activity of the account on every network', () => {
    expect(found()).toEqual([transfer, revocation, off, swap()])
  })

  it('filters by network, kind and state, and can include all accounts', () => {
    list.want({ isHere: true })
    expect(found()).toEqual([off, swap()])
    list.want({ state: 'cancelled' })
    expect(found()).toEqual([off])
    list.want({ state: undefined, isOfAll: true })
    expect(found()).toEqual([off, swap(), theirs])
    list.want({ kind: 'send' })
    expect(found()).toEqual([])
    list.want({ isHere: false })
    expect(found()).toEqual([transfer])
  })

  it('searches within the filtered entries', () => {
    list.clear()
    list.want({ text: 'usdc', kind: 'swap' })
    expect(found()).toEqual([off, swap(), theirs])
    list.want({ text: friend.toUpperCase().replace('0X', '0x') })
    expect(found()).toEqual([theirs])
  })

  it('shows fifty more entries at a time, and every entry after it is cleared', () => {
    list.more()
    expect(list.getState().most).toBe(100)
    list.want({ text: 'dai' })
    expect(list.getState().most).toBe(50)
    list.clear()
    expect(found()).toEqual(entries)
  })
})
