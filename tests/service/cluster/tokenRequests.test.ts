import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTokenRequests } from '../../../service/cluster/tokenRequests.ts'
import type { Address } from '../../../service/config.ts'
import { createTokenCoverage, type Want } from '../../../service/indexer/onDemand/tokenCoverage.ts'
import type { TokenUpdate } from '../../../service/indexer/update.ts'
import type { PoolInfo } from '../../../service/pools/poolType.ts'

const address = (i: number): Address => `0x${i.toString(16).padStart(40, '0')}`
const [base, a, b] = [1, 2, 3].map(address) as [Address, Address, Address]
const block = {
  number: 1n,
  hash: `0x${'1'.repeat(64)}`,
  parentHash: `0x${'0'.repeat(64)}`,
  timestamp: 0n,
  baseFeePerGas: 0n,
} as const

function create(patienceMs = 1_000) {
  const coverage = createTokenCoverage()
  const sent: [string, readonly Want[]][] = []
  const requests = createTokenRequests(
    coverage,
    { requestTokens: async (what, wants) => void sent.push([what, wants]) },
    patienceMs,
  )
  coverage.begin({ block, tokens: { listed: [base] } }).commit()
  /** As an update of the leader. */
  const take = (tokens: TokenUpdate, pools: PoolInfo[] = []) => {
    const draft = coverage.begin({ after: block.hash, block, tokens })
    for (const pool of pools) draft.add(pool)
    draft.commit()
    requests.check()
  }
  return { ...requests, sent, take }
}

const poolOf = (token: Address): PoolInfo => {
  return { kind: 'constant-product', source: 'A', address: address(99), tokens: [base, token], fixed: {} }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('createTokenRequests', () => {
  it('sends equal requests once, and resolves each when the state covers all of it', async () => {
    const { find, take, sent } = create()
    const first = find([[a]])
    const both = find([[a], [b]])
    await vi.advanceTimersByTimeAsync(10)
    expect(sent).toEqual([
      ['find', [[a]]],
      ['find', [[b]]],
    ])
    take({ found: [a] })
    expect(await first).toEqual([])
    take({ absent: [{ token: b, hasCode: false }] })
    expect(await both).toEqual([b])
  })

  it('rejects when the leader does not answer in time, and then sends the request again', async () => {
    const { find, sent } = create(1_000)
    const refused = expect(find([[a]])).rejects.toThrow('does not answer')
    await vi.advanceTimersByTimeAsync(499)
    expect(sent).toHaveLength(1)
    // Once more, for a leader that has just begun.
    await vi.advanceTimersByTimeAsync(502)
    await refused
    expect(sent).toHaveLength(2)
    const again = find([[a]]).catch(() => 'late')
    await vi.advanceTimersByTimeAsync(10)
    expect(sent).toHaveLength(3)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await again).toBe('late')
  })

  it('gives up when it is stopped, so that the next leader is asked', async () => {
    const { find, stop } = create()
    const answer = find([[a]])
    await vi.advanceTimersByTimeAsync(10)
    stop()
    expect(await answer).toBeUndefined()
  })

  it('bounds the requests that wait', async () => {
    const { find, stop } = create()
    const waiting = Array.from({ length: 512 }, (_, i) => find([[address(100 + i)]]))
    await expect(find([[a]])).rejects.toThrow('Too many')
    stop()
    expect((await Promise.all(waiting)).every((answer) => answer === undefined)).toBe(true)
  })

  it('reports used tokens that are unlisted and have pools, together, within 30 seconds', async () => {
    const { touch, take, sent } = create()
    touch([a, base])
    take({ found: [a] }, [poolOf(a)])
    for (let i = 0; i < 5; i++) touch([a, base, b])
    await vi.advanceTimersByTimeAsync(29_000)
    expect(sent).toEqual([])
    await vi.advanceTimersByTimeAsync(1_001)
    expect(sent).toEqual([['touch', [[a]]]])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sent).toHaveLength(1)
  })
})
