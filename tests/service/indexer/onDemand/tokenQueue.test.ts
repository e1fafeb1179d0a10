import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Address } from '../../../../service/config.ts'
import type { Header } from '../../../../service/indexer/block.ts'
import { createTokenCoverage, type Want } from '../../../../service/indexer/onDemand/tokenCoverage.ts'
import { createTokenQueue, type TokenQueueOptions } from '../../../../service/indexer/onDemand/tokenQueue.ts'
import type { Update } from '../../../../service/indexer/update.ts'

const token = (i: number): Address => `0x${i.toString(16).padStart(40, '0')}`
const wantOf = (i: number): Want => [token(i)]

const block: Header = {
  ...{ number: 1n, hash: `0x${'1'.repeat(64)}`, parentHash: `0x${'0'.repeat(64)}` },
  ...{ timestamp: 1n, baseFeePerGas: 0n },
}

/** A chain, without pools or with, that answers after `ms`, and a state that takes what it answers. */
function create(options: TokenQueueOptions = {}, ms = 5, hasPools = false) {
  const coverage = createTokenCoverage()
  const apply = (update: Update) => coverage.begin(update).commit()
  apply({ block, tip: 0n, tokens: { listed: [token(0)] }, pools: [] })
  const seen = { batches: [] as number[], running: 0, most: 0, settled: 0 }
  let failures = 0
  let losses = 0
  const queue = createTokenQueue(
    {
      async discover(wants) {
        seen.batches.push(wants.length)
        seen.running++
        seen.most = Math.max(seen.most, seen.running)
        await sleep(ms)
        seen.running--
        if (failures-- > 0) throw new Error('The RPC failed.')
        const absent = wants.map(([one]) => ({ token: one, hasCode: BigInt(one) % 2n === 0n }))
        const tokens = hasPools ? { found: wants.map(([one]) => one) } : { absent }
        return { block, tokens, pools: [] }
      },
      async settle(discovered) {
        return losses-- > 0 ? undefined : { after: block.hash, tip: 0n, ...discovered }
      },
    },
    coverage,
    async (settle) => {
      const update = await settle()
      if (update) apply(update)
      seen.settled++
      return update
    },
    options,
  )
  const set = (given: { failures?: number; losses?: number }) => {
    failures = given.failures ?? 0
    losses = given.losses ?? 0
  }
  return { ...queue, coverage, seen, set }
}

const range = (count: number, from = 1) => Array.from({ length: count }, (_, i) => i + from)

describe('createTokenQueue', () => {
  it('looks up each token once, in batches of a bounded size of which few run at once', async () => {
    const { find, seen } = create({ perSecond: 1_000, perBatch: 10 })
    await Promise.all([...range(200), ...range(200)].map((i) => find([wantOf(i)])))
    expect(seen.batches.reduce((sum, size) => sum + size)).toBe(200)
    expect(Math.max(...seen.batches)).toBe(10)
    expect(seen.most).toBe(2)
    await find(range(200).map(wantOf))
    expect(seen.batches.reduce((sum, size) => sum + size)).toBe(200)
  })

  it('returns the tokens without code of those asked for', async () => {
    const { find } = create()
    const [some, others] = await Promise.all([find([wantOf(3), wantOf(4)]), find([wantOf(4)])])
    expect([some, others]).toEqual([[token(3)], []])
  })

  it('starts a limited number of batches per second', async () => {
    const { find, seen } = create({ perSecond: 20, perBatch: 1 }, 0)
    const all = Promise.all(range(45).map((i) => find([wantOf(i)])))
    // The burst runs as fast as the chain answers, and five more need a quarter of a second.
    const started = performance.now()
    await all
    expect(performance.now() - started).toBeGreaterThan(240)
    expect(seen.batches).toHaveLength(45)
  })

  it('slows down after many tokens with pools, but not after others', async () => {
    const limits = { perSecond: 1_000, perBatch: 1, foundAtOnce: 6, foundPerSecond: 20 }
    const others = create(limits, 0)
    await Promise.all(range(40).map((i) => others.find([wantOf(i)])))
    expect(others.seen.batches).toHaveLength(40)

    const { find, seen } = create(limits, 0, true)
    const started = performance.now()
    await Promise.all(range(10).map((i) => find([wantOf(i)])))
    expect(performance.now() - started).toBeGreaterThan(100)
    expect(seen.batches).toHaveLength(10)
  })

  it('rejects tokens beyond its places, and takes more later', async () => {
    const { find, seen } = create({ maxWaiting: 16, perBatch: 4, perSecond: 1_000 })
    const answers = await Promise.allSettled(range(100).map((i) => find([wantOf(i)])))
    const taken = answers.filter(({ status }) => status === 'fulfilled')
    expect(taken.length).toBeGreaterThanOrEqual(16)
    expect(taken.length).toBeLessThan(40)
    expect(seen.batches.reduce((sum, size) => sum + size)).toBe(taken.length)
    expect(await find([wantOf(101)])).toEqual([token(101)])
  })

  it('passes a failure to all who wait for it, and tries again for the next', async () => {
    const { find, set, coverage } = create()
    set({ failures: 1 })
    const answers = await Promise.allSettled([find([wantOf(5)]), find([wantOf(5)])])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(coverage.covers(wantOf(5))).toBe(false)
    expect(await find([wantOf(5)])).toEqual([token(5)])
  })

  it('discovers anew what a reorganization has overtaken, a few times', async () => {
    const { find, set, seen } = create()
    set({ losses: 2 })
    expect(await find([wantOf(7)])).toEqual([token(7)])
    expect(seen.batches).toHaveLength(3)
    set({ losses: 100 })
    await expect(find([wantOf(9)])).rejects.toThrow('moved on')
    expect(seen.batches.length).toBeLessThan(8)
  })
})
