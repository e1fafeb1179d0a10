import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { createSpamFilter, type SpamFilter } from '../../../src/background/approvals/spamFilter.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'

const site = 'https://a.example'
const other = 'https://b.example'

let session: ReturnType<typeof memoryArea>
let throttle: SpamFilter
let time: number

const start = () => createSpamFilter(session, () => time)

beforeEach(() => {
  session = memoryArea()
  time = 1_000_000
  throttle = start()
})

describe('createSpamFilter', () => {
  it('blocks a site for one minute after four rejections within thirty seconds', async () => {
    for (let count = 1; count <= 3; count++) {
      await throttle.rejected([site])
      time += 10_000
    }
    expect(await throttle.isBlocked(site)).toBe(false)
    await throttle.rejected([site])
    expect(await throttle.isBlocked(site)).toBe(true)
    expect(await throttle.isBlocked(other)).toBe(false)
    time += 59_999
    expect(await throttle.isBlocked(site)).toBe(true)
    time += 1
    expect(await throttle.isBlocked(site)).toBe(false)
  })

  it('does not block a site when four rejections span more than thirty seconds', async () => {
    for (let count = 1; count <= 8; count++) {
      await throttle.rejected([site])
      time += 10_001
      expect(await throttle.isBlocked(site)).toBe(false)
    }
  })

  it('counts rejections anew after one minute', async () => {
    for (let count = 1; count <= 4; count++) await throttle.rejected([site])
    time += 60_000
    await throttle.rejected([site])
    expect(await throttle.isBlocked(site)).toBe(false)
  })

  it('counts requests rejected together as one rejection per site', async () => {
    await throttle.rejected([site, site, other, site, site, site])
    expect(await throttle.isBlocked(site)).toBe(false)
  })

  it('keeps its count across worker restarts', async () => {
    for (let count = 1; count <= 4; count++) {
      await throttle.rejected([site])
      throttle = start()
    }
    expect(await throttle.isBlocked(site)).toBe(true)
  })

  it('tolerates a clock that is set back and a damaged record', async () => {
    for (let count = 1; count <= 4; count++) await throttle.rejected([site])
    time -= 3_600_000
    expect(await throttle.isBlocked(site)).toBe(false)
    await session.set({ rejections: [{ origin: 7 }] })
    expect(await throttle.isBlocked(site)).toBe(false)
    for (let count = 1; count <= 4; count++) await throttle.rejected([site])
    expect(await throttle.isBlocked(site)).toBe(true)
  })

  it('matches a plain model of its rule at random times', async () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(gaps, async (waits) => {
        session = memoryArea()
        throttle = start()
        const times: number[] = []
        for (const wait of waits) {
          time += wait
          times.push(time)
          await throttle.rejected([site])
          time += wait
          const blocked = times.some(
            (last) =>
              time - last < 60_000 && times.filter((at) => at <= last && last - at <= 30_000).length >= 4,
          )
          expect(await throttle.isBlocked(site)).toBe(blocked)
        }
      }),
      { numRuns: 200 },
    )
  })
})
