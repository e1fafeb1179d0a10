import { describe, expect, it } from 'vitest'
import type { Address } from '../../../service/config.ts'
import { createBackOff } from '../../../service/indexer/backOff.ts'

const pools = Array.from({ length: 6 }, (_, i): Address => `0x${'ab'.repeat(19)}0${i}`)
const [pool, other] = pools as [Address, Address]

/** Blocks after `from`, up to `count`, at which the pool is read again. */
function dueAfter(backOff: ReturnType<typeof createBackOff>, from: bigint, count: number): bigint[] {
  const blocks = Array.from({ length: count }, (_, i) => from + BigInt(i) + 1n)
  return blocks.filter((block) => backOff.due([pool], block).has(pool))
}

describe('createBackOff', () => {
  it('reads a pool again after one block, then after twice as many each time, up to 4,096', () => {
    const backOff = createBackOff()
    let block = 1_000n
    const waits: bigint[] = []
    for (let i = 0; i < 14; i++) {
      backOff.failed(pool, block)
      const [next] = dueAfter(backOff, block, 4_096)
      waits.push(next! - block)
      block = next!
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 4096].map(BigInt))
    backOff.succeeded(pool, block)
    expect(dueAfter(backOff, block, 3)).toHaveLength(3)
  })

  it('reads no failing pool for a lookup that is some blocks behind, and keeps what it knows', () => {
    const backOff = createBackOff()
    for (let i = 0n; i < 5n; i++) backOff.failed(pool, 1_000n + 2n ** i)
    const isDueAt = (block: bigint) => backOff.due([pool, other], block)
    for (const block of [1_015n, 900n, 1_016n]) expect([...isDueAt(block)]).toEqual([other])
    expect(dueAfter(backOff, 1_016n, 32)[0]).toBe(1_032n)
  })

  it('is not misled by reads of earlier blocks that end later', () => {
    const backOff = createBackOff()
    for (let i = 0n; i < 5n; i++) backOff.failed(pool, 1_000n)
    backOff.succeeded(pool, 999n)
    expect(dueAfter(backOff, 1_000n, 32)[0]).toBe(1_016n)
    backOff.failed(pool, 990n)
    expect(dueAfter(backOff, 1_000n, 64)[0]).toBe(1_032n)
  })

  it('forgets failures of another fork, far ahead', () => {
    const backOff = createBackOff()
    for (let i = 0n; i < 13n; i++) backOff.failed(pool, 100_000n)
    expect(backOff.due([pool], 99_000n).has(pool)).toBe(true)
  })

  it('forgets pools that are no longer asked for, and retries at most four others at a time', () => {
    const backOff = createBackOff()
    for (const one of pools) backOff.failed(one, 1_000n)
    expect(backOff.due(pools, 1_001n).size).toBe(4)
    expect(backOff.due(pools, 9_193n).size).toBe(4)
    expect(backOff.due([other], 9_194n).size).toBe(1)
    // All are new to it.
    expect(backOff.due(pools, 9_194n).size).toBe(6)
  })
})
