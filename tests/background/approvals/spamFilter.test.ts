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

describe('the throttle', () => {
  it('blocks a site for a minute from the fourth rejection within half a minute', async () => {
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

  it('lets four pass that took longer', async () => {
    for (let count = 1; count <= 8; count++) {
      await throttle.rejected([site])
      time += 10_001
      expect(await throttle.isBlocked(site)).toBe(false)
    }
  })

  it('starts anew after the minute', async () => {
    for (let count = 1; count <= 4; count++) await throttle.rejected([site])
    time += 60_000
    await throttle.rejected([site])
    expect(await throttle.isBlocked(site)).toBe(false)
  })

  it('counts one for a site whose requests were rejected together', async () => {
    await throttle.rejected([site, site, other, site, site, site])
    expect(await throttle.isBlocked(site)).toBe(false)
  })

  it('does not forget with the worker', async () => {
    for (let count = 1; count <= 4; count++) {
      await throttle.rejected([site])
      throttle = start()
    }
    expect(await throttle.isBlocked(site)).toBe(true)
  })

  it('makes little of a clock that was set back, and of damaged records', async () => {
    for (let count = 1; count <= 4; count++) await throttle.rejected([site])
    time -= 3_600_000
    expect(await throttle.isBlocked(site)).toBe(false)
    await session.set({ rejections: [{ origin: 7 }] })
    expect(await throttle.isBlocked(site)).toBe(false)
    for (let count = 1; count <= 4; count++) await throttle.rejected([site])
    expect(await throttle.isBlocked(site)).toBe(true)
  })

  it('agrees with the plain reading of its rule, whatever the times', async () => {
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
