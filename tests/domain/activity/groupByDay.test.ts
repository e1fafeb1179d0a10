import { describe, expect, it } from 'vitest'
import { groupByDay } from '../../../src/domain/activity/activity.ts'
import { sending, swap, unreadable } from '../../helpers/samples/activitySamples.ts'

describe('groupByDay', () => {
  const all = [sending(), swap()]

  it('groups activities by calendar day in the given time zone', () => {
    const days = (zone: string) => groupByDay(all, zone).map(({ day, entries }) => [day, entries.length])
    expect(days('UTC')).toEqual([
      ['2026-11-23', 1],
      ['2026-11-22', 1],
    ])
    expect(days('Europe/Berlin')).toEqual([['2026-11-23', 2]])
    expect(days('America/New_York')).toEqual([['2026-11-22', 2]])
  })

  it('groups activities without a time under an empty day', () => {
    expect(groupByDay([swap(), unreadable], 'Asia/Tokyo').map(({ day }) => day)).toEqual(['2026-11-23', ''])
  })

  it('keeps the order within a day and returns no days for an empty list', () => {
    expect(groupByDay(all, 'Asia/Tokyo')[0]!.entries).toEqual(all)
    expect(groupByDay([], 'UTC')).toEqual([])
  })
})
