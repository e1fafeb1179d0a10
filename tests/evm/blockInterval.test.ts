import { describe, expect, it } from 'vitest'
import { readBlockInterval } from '../../src/evm/blockInterval.ts'

/** `timeAt` in seconds. */
function chain(newest: number, timeAt: (block: number) => number) {
  const asked: unknown[] = []
  const reads = {
    async ask(_method: string, [tag]: unknown[]) {
      asked.push(tag)
      const number = tag === 'latest' ? newest : Number(tag)
      return { number: BigInt(number), timestamp: timeAt(number) }
    },
  } as unknown as Parameters<typeof readBlockInterval>[0]
  return { reads, asked }
}

describe('readBlockInterval', () => {
  it('returns the mean time between the newest hundred blocks', async () => {
    expect(await readBlockInterval(chain(1_000, (block) => block * 12).reads)).toBe(12_000)
    const fast = chain(10_000, (block) => Math.floor(block / 4))
    expect(await readBlockInterval(fast.reads)).toBe(250)
    expect(fast.asked).toEqual(['latest', '0x26de', '0x26ac'])
  })

  it('is undefined for a chain that produces blocks on demand', async () => {
    const uneven = chain(1_000, (block) => (block > 950 ? 100_000 : 0) + block)
    expect(await readBlockInterval(uneven.reads)).toBeUndefined()
    expect(await readBlockInterval(chain(1_000, () => 5).reads)).toBeUndefined()
  })

  it('is undefined for a chain with too few blocks', async () => {
    expect(await readBlockInterval(chain(99, (block) => block * 12).reads)).toBeUndefined()
  })
})
