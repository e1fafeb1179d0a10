import { describe, expect, it } from 'vitest'
import { matches } from '../../../src/domain/activity/activityFilter.ts'
import {
  account,
  failed,
  friend,
  incoming,
  sending,
  swap,
  transfer,
  unreadable,
} from '../../helpers/samples/activitySamples.ts'

describe('activity filter', () => {
  it('selects activities by every given field, and all activities without fields', () => {
    const all = [swap(), transfer, sending({ outcome: failed('cancelled') }, { account: friend })]
    const found = (filter: Parameters<typeof matches>[1]) => all.map((one) => matches(one, filter))
    expect(found({})).toEqual([true, true, true])
    expect(found({ account })).toEqual([true, true, false])
    expect(found({ chainId: 10 })).toEqual([false, true, true])
    expect(found({ kind: 'send' })).toEqual([false, true, false])
    expect(found({ state: 'cancelled' })).toEqual([false, false, true])
    expect(found({ state: 'done', chainId: 1 })).toEqual([true, false, false])
  })

  it('selects incoming transfers by account, network, kind and state', () => {
    const found = (filter: Parameters<typeof matches>[1]) => matches(incoming, filter)
    expect([found({ account }), found({ chainId: 1 }), found({ kind: 'receive' })]).toEqual([
      true,
      true,
      true,
    ])
    expect([found({ account: friend }), found({ chainId: 10 }), found({ state: 'failed' })]).toEqual([
      false,
      false,
      false,
    ])
  })

  it('selects unreadable records unless the filter asks for a kind or a state other than failed', () => {
    const found = (filter: Parameters<typeof matches>[1]) => matches(unreadable, filter)
    expect([found({ account }), found({ chainId: 10 }), found({ state: 'failed' })]).toEqual([
      true,
      true,
      true,
    ])
    expect([found({ kind: 'send' }), found({ state: 'done' })]).toEqual([false, false])
    const read = swap({ outcome: failed('record-damaged') })
    expect([matches(read, { account }), matches(read, { account: friend })]).toEqual([true, false])
  })
})
