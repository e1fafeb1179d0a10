import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addSnapshot,
  changeSinceYesterday,
  comparableSnapshots,
  type ValueSnapshot,
} from '../../../src/domain/value/snapshots.ts'

const hour = 3_600_000
const day = 24 * hour
const start = Date.UTC(2026, 0, 1)
const at = (time: number, usd = 1n, chains = [1]): ValueSnapshot => ({ at: time, usd, chains })

/** Adds in turn, `gaps` apart. */
function fill(gaps: number[]): ValueSnapshot[] {
  let time = start
  return gaps.reduce<ValueSnapshot[]>((points, gap) => {
    time += gap
    return addSnapshot(points, at(time, BigInt(time)))
  }, [])
}

describe('addSnapshot', () => {
  it('keeps one snapshot per hour, the last one', () => {
    const points = fill([0, 10 * 60_000, 40 * 60_000, 20 * 60_000])
    expect(points.map((point) => point.at - start)).toEqual([50 * 60_000, 70 * 60_000])
  })

  it('replaces the snapshot of the hour when the networks changed', () => {
    const points = addSnapshot([at(start)], at(start + 60_000, 2n, [1, 10]))
    expect(points).toEqual([at(start + 60_000, 2n, [1, 10])])
  })

  it('drops snapshots of the future after the clock was set back', () => {
    expect(addSnapshot([at(start), at(start + 9 * day)], at(start + day))).toEqual([
      at(start),
      at(start + day),
    ])
  })

  it('keeps hours for two days, then the last of each day for 400 days', () => {
    const points = fill(Array<number>(500 * 24).fill(hour))
    const now = points.at(-1)?.at ?? 0
    expect(points.filter((point) => now - point.at <= 2 * day)).toHaveLength(49)
    const old = points.filter((point) => now - point.at > 2 * day)
    expect(old.every((point) => new Date(point.at).getUTCHours() === 23)).toBe(true)
    expect(old.length).toBeGreaterThanOrEqual(397)
    expect(now - (old[0]?.at ?? 0)).toBeLessThanOrEqual(400 * day)
  })

  it('stays sorted, bounded and complete to the day for any times', () => {
    const gap = fc.oneof(fc.integer({ min: 0, max: 2 * hour }), fc.integer({ min: 0, max: 5 * day }))
    fc.assert(
      fc.property(fc.array(gap, { minLength: 1, maxLength: 300 }), (gaps) => {
        const points = fill(gaps)
        const now = start + gaps.reduce((sum, one) => sum + one, 0)
        const times = points.map((point) => point.at)
        expect(times).toEqual(times.toSorted((one, other) => one - other))
        expect(new Set(times.map((time) => Math.floor(time / hour))).size).toBe(times.length)
        expect(points.length).toBeLessThanOrEqual(49 + 401)
        expect(times.every((time) => now - time <= 400 * day)).toBe(true)
        // Each day with a snapshot keeps one.
        const ends = gaps.map((_, index) => gaps.slice(0, index + 1).reduce((sum, one) => sum + one, start))
        const days = ends.map((time) => Math.floor(time / day)).filter((one) => now - one * day < 399 * day)
        for (const one of days) expect(times.some((kept) => Math.floor(kept / day) === one)).toBe(true)
      }),
    )
  })
})

describe('changeSinceYesterday', () => {
  const now = { at: start + 10 * day, usd: 150n }
  const ago = (hours: number, usd: bigint) => at(now.at - hours * hour, usd)

  it('compares with the snapshot nearest to a day ago', () => {
    expect(changeSinceYesterday([ago(40, 1n), ago(25, 100n), ago(21, 2n), ago(1, 3n)], now)).toEqual({
      usd: 50n,
      bps: 5_000,
    })
    expect(changeSinceYesterday([ago(24, 200n)], now)).toEqual({ usd: -50n, bps: -2_500 })
  })

  it.each([[[]], [[ago(19, 1n)]], [[ago(49, 1n)]]])(
    'returns nothing without a snapshot of that time: %#',
    (points) => {
      expect(changeSinceYesterday(points, now)).toBeUndefined()
    },
  )

  it('has no percentage from nothing', () => {
    expect(changeSinceYesterday([ago(24, 0n)], now)).toEqual({ usd: 150n, bps: undefined })
  })
})

it('compares only totals of the same networks', () => {
  const points = [at(1, 1n, [1]), at(2, 2n, [1, 10]), at(3, 3n, [1])]
  expect(comparableSnapshots(points, [1])).toEqual([points[0], points[2]])
  expect(comparableSnapshots(points, [1, 10])).toEqual([points[1]])
})
