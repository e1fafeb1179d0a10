import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Chain } from '../../../service/indexer/chain.ts'
import type { IsolatedCall } from '../../../service/indexer/isolatedReads.ts'
import { poolTypes } from '../../../service/pools/registry.ts'
import { snapshots } from '../../helpers/service/randomSnapshots.ts'

const block = {
  number: 9n,
  hash: `0x${'09'.repeat(32)}` as const,
  parentHash: `0x${'08'.repeat(32)}` as const,
}
const head = { ...block, timestamp: 9n, baseFeePerGas: 0n }

/** Zeros, also where a list is expected. */
const zeros = `0x${'00'.repeat(32 * 16)}` as const
const answerAll = (lists: readonly (readonly IsolatedCall[])[]) => lists.map((list) => list.map(() => zeros))

it('names its pool in each isolated read of a state of any kind, so that one which burns gas waits', async () => {
  const seen = new Set<string>()
  const asked: { kind: string; pools: readonly unknown[] | undefined; lists: number }[] = []
  for (const [i, snapshot] of fc.sample(snapshots(1), { numRuns: 300, seed: 7 }).entries()) {
    const { kind, address } = snapshot.listing
    const chain = {
      multicall: `0x${'ca'.repeat(20)}`,
      read: async (lists) => answerAll(lists),
      readPools: async (pools) => pools.map(() => undefined),
      async readIsolated(lists, _block, pools) {
        if (lists.length > 0) asked.push({ kind, pools, lists: lists.length })
        return answerAll(lists)
      },
    } satisfies Partial<Chain>
    // Known pools as at every block, and new ones.
    const before = i % 2 === 0 ? snapshot.state : undefined
    const reading = { listing: snapshot.listing, before, logs: [] }
    await poolTypes[kind].read(chain as unknown as Chain, head, [reading])
    for (const { pools, lists } of asked.splice(0)) {
      expect({ kind, pools }).toEqual({ kind, pools: Array(lists).fill(address) })
      seen.add(kind)
    }
  }
  expect([...seen].sort()).toEqual([
    ...['algebra', 'converter', 'curve', 'curve-factory', 'curve-ng', 'pancake-stable'],
    ...['stable', 'stable-v3', 'weighted-v3'],
  ])
})
