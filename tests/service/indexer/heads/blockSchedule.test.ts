import { describe, expect, it } from 'vitest'
import { createBlockSchedule } from '../../../../service/indexer/heads/blockSchedule.ts'
import { randomFrom } from '../../../helpers/random.ts'

type Rhythm = {
  seconds: number
  jitterMs?: number
  believed?: number
  minMs?: number
  isMissing?: (slot: number) => boolean
}

/** Follows blocks in virtual time; counts polls after a quarter, and how late blocks are seen. */
function follow({ seconds, jitterMs = 0, believed = seconds, minMs = 50, isMissing = () => false }: Rhythm) {
  const random = randomFrom(7)
  const slots = 400
  const arrivals: number[] = []
  for (let slot = 1; slot <= slots; slot++) {
    if (!isMissing(slot)) arrivals.push(1e9 + slot * seconds * 1_000 + random() * jitterMs)
  }
  const schedule = createBlockSchedule(believed, minMs)
  const from = 1e9 + (slots / 4) * seconds * 1_000
  const end = arrivals.at(-1)!
  let known = 0
  let polls = 0
  let seen = 0
  const late: number[] = []
  for (let now = 1e9; now < end; now += Math.max(1, schedule.waitMs(now))) {
    if (now >= from) polls++
    const there = arrivals.findLastIndex((at) => at <= now) + 1
    if (there === known) {
      schedule.missed()
      continue
    }
    if (now >= from) {
      seen += there - known
      late.push(now - arrivals[there - 1]!)
    }
    known = there
    schedule.arrived(
      { number: BigInt(there), timestamp: BigInt(Math.floor(arrivals[there - 1]! / 1_000)) },
      now,
    )
  }
  const mean = late.reduce((sum, ms) => sum + ms, 0) / late.length
  return { pollsPerBlock: polls / seen, lateMs: mean, intervalMs: schedule.intervalMs() }
}

describe('createBlockSchedule', () => {
  it.each([12, 3, 2, 0.25])(
    'polls less than one and a half times per block of %d s, soon after it',
    (seconds) => {
      const { pollsPerBlock, lateMs } = follow({ seconds, jitterMs: seconds * 20 })
      expect(pollsPerBlock).toBeLessThan(1.5)
      expect(lateMs).toBeLessThan(Math.max(60, seconds * 60))
    },
  )

  it('bounds polls when arrivals vary and slots are missing', () => {
    const { pollsPerBlock, lateMs } = follow({
      seconds: 12,
      jitterMs: 2_000,
      isMissing: (slot) => slot % 20 === 0,
    })
    expect(pollsPerBlock).toBeLessThan(3)
    expect(lateMs).toBeLessThan(1_500)
  })

  it('learns an interval that differs from the configured one', () => {
    const { pollsPerBlock, intervalMs } = follow({ seconds: 0.45, believed: 0.75, jitterMs: 10 })
    expect(intervalMs).toBeGreaterThan(430)
    expect(intervalMs).toBeLessThan(470)
    expect(pollsPerBlock).toBeLessThan(1.5)
  })

  it('keeps the configured interval when timestamps tell none', () => {
    const schedule = createBlockSchedule(2, 250)
    for (let i = 1; i < 40; i++) schedule.arrived({ number: BigInt(i), timestamp: 5n }, i)
    expect(schedule.intervalMs()).toBe(2_000)
  })

  it('never polls more often than the minimum, and skips blocks instead', () => {
    const { pollsPerBlock } = follow({ seconds: 0.25, minMs: 1_000 })
    expect(pollsPerBlock).toBeLessThanOrEqual(0.26)
  })

  it('waits longer and longer, at most an interval, while no block comes', () => {
    const schedule = createBlockSchedule(12, 250)
    schedule.arrived({ number: 1n, timestamp: 1n }, 0)
    const waits = Array.from({ length: 12 }, () => {
      schedule.missed()
      return schedule.waitMs(20_000)
    })
    expect(waits).toEqual(waits.toSorted((a, b) => a - b))
    expect([waits[0], waits.at(-1)]).toEqual([750, 12_000])
  })
})
