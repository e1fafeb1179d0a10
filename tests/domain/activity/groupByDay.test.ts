import { describe, expect, it } from 'vitest'
import { groupByDay } from '../../../src/domain/activity/activity.ts'
import { sending, swap, unreadable } from '../../helpers/samples/activitySamples.ts'

describe('days', () => {
  const all = [sending(), swap()]

  it('are those of the calendar at a place', () => {
    const days = (zone: string) => groupByDay(all, zone).map(({ day, entries }) => [day, entries.length])
    expect(days('UTC')).toEqual([
      ['2026-11-23', 1],
      ['2026-11-22', 1],
    ])
    expect(days('Europe/Berlin')).toEqual([['2026-11-23', 2]])
    expect(days('America/New_York')).toEqual([['2026-11-22', 2]])
  })

  it('are none for what has no time', () => {
    expect(groupByDay([swap(), unreadable], 'Asia/Tokyo').map(({ day }) => day)).toEqual(['2026-11-23', ''])
  })

  it('keep the order of what is in them, and have nothing where there is nothing', () => {
    expect(groupByDay(all, 'Asia/Tokyo')[0]!.entries).toEqual(all)
    expect(groupByDay([], 'UTC')).toEqual([])
  })
})
