import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Address } from '../../../../service/config.ts'
import { createTokenCoverage, markTokens } from '../../../../service/indexer/onDemand/tokenCoverage.ts'
import type { TokenUpdate } from '../../../../service/indexer/update.ts'
import type { PoolInfo } from '../../../../service/pools/poolType.ts'

const address = (i: number): Address => `0x${i.toString(16).padStart(40, '0')}`
const [base, a, b, c] = [1, 2, 3, 4].map(address) as [Address, Address, Address, Address]

const hashOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

function blockOf(number: number) {
  const [hash, parentHash] = [hashOf(number), hashOf(number - 1)]
  return { number: BigInt(number), hash, parentHash, timestamp: 0n, baseFeePerGas: 0n }
}

const pool = (id: number, ...tokens: Address[]): PoolInfo => {
  return { kind: 'constant-product', source: 'A', address: address(id), tokens, fixed: {} }
}

function create(limits?: { tokens: number; pools: number }) {
  const coverage = createTokenCoverage(limits)
  /** Of the same block, unless another is given; returns the removed pools. */
  const apply = (
    tokens: TokenUpdate,
    listings: PoolInfo[] = [],
    number = 1,
    after: Hex | null = hashOf(1),
  ) => {
    const draft = coverage.begin({ block: blockOf(number), tokens, ...(after && { after }) })
    for (const listing of listings) draft.add(listing)
    draft.commit()
    return draft.removed
  }
  coverage.begin({ block: blockOf(1), tokens: { listed: [base] } }).commit()
  return { coverage, apply }
}

describe('createTokenCoverage', () => {
  it('covers everything where all pools are followed', () => {
    const coverage = createTokenCoverage()
    coverage.begin({ block: blockOf(1) }).commit()
    expect(coverage.covers([a])).toBe(true)
    expect(coverage.covers([a, b])).toBe(true)
    expect(coverage.isFollowed(a)).toBe(true)
    expect([coverage.whole(), coverage.mark()]).toEqual([undefined, ''])
  })

  it('drops a pool with the last of its unlisted tokens', () => {
    const { coverage, apply } = create()
    apply({ found: [a, b], pairs: [[a, b]] }, [pool(10, base, a), pool(11, a, b), pool(12, base, b)])
    expect(coverage.covers([a, b])).toBe(true)
    expect(apply({ dropped: [a] })).toEqual([address(10)])
    expect([...coverage.poolsOf(b)]).toEqual([address(11), address(12)])
    expect(coverage.covers([a, b])).toBe(false)
    expect(apply({ dropped: [b] }).sort()).toEqual([address(11), address(12)])
    expect([...coverage.unlistedPools()]).toEqual([])
    expect(coverage.unlisted()).toEqual([])
  })

  it('chooses the least recently used tokens until tokens and pools keep within the limits', () => {
    const { coverage, apply } = create({ tokens: 3, pools: 5 })
    apply({ found: [a, b] }, [pool(10, base, a), pool(11, base, a), pool(12, base, b), pool(13, base, b)])
    expect(coverage.overflow([c], 1)).toEqual([])
    expect(coverage.overflow([c], 2)).toEqual([a])
    expect(coverage.overflow([c], 4)).toEqual([a, b])
    expect(coverage.overflow([c, address(5)], 0)).toEqual([a])
    coverage.touch(a)
    coverage.touch(c)
    expect(coverage.unlisted()).toEqual([b, a])
    expect(coverage.overflow([c], 2)).toEqual([b])
    expect(coverage.overflow([a, b], 100)).toEqual([])
  })

  it('forgets with a block which tokens and pairs have no pools, unless their pools are followed', () => {
    const { coverage, apply } = create()
    apply({
      found: [a, b],
      pairs: [
        [a, b],
        [a, c],
      ],
      absent: [{ token: c, hasCode: false }],
    })
    expect(coverage.absence(c)).toEqual({ hasCode: false })
    expect([coverage.covers([c]), coverage.covers([a, c])]).toEqual([true, true])
    apply({}, [], 2)
    expect(coverage.absence(c)).toBeUndefined()
    expect([coverage.covers([c]), coverage.covers([a, c])]).toEqual([false, false])
    expect([coverage.covers([a]), coverage.covers([a, b])]).toEqual([true, true])
  })

  it('follows stale tokens, but covers them only when they are found again', () => {
    const { coverage, apply } = create()
    apply({ found: [a, b], pairs: [[a, b]] }, [pool(10, base, a)])
    apply({ stale: [a, b] }, [], 2)
    expect([coverage.covers([a]), coverage.covers([a, b]), coverage.isFollowed(a)]).toEqual([
      false,
      false,
      true,
    ])
    expect([...coverage.poolsOf(a)]).toEqual([address(10)])
    apply({ found: [a] }, [], 2, hashOf(2))
    expect(coverage.covers([a])).toBe(true)
    expect(coverage.whole()).toEqual({ listed: [base], stale: [b], found: [a] })
  })

  it('counts a token that is listed later no longer as unlisted', () => {
    const { coverage, apply } = create()
    apply({ found: [a, b] }, [pool(10, base, a), pool(11, a, b)])
    apply({ listed: [base, a] })
    expect(coverage.unlisted()).toEqual([b])
    expect([...coverage.unlistedPools()]).toEqual([address(11)])
    expect(apply({ dropped: [b] })).toEqual([address(11)])
  })

  it('marks equal tokens equally, whatever their order', () => {
    const { coverage, apply } = create()
    const first = coverage.mark()
    apply({ found: [a, b] })
    const second = coverage.mark()
    expect(second).not.toBe(first)
    coverage.touch(a)
    expect(coverage.mark()).toBe(second)
    expect(markTokens({ listed: [base], found: [b], stale: [a] })).toBe(second)
    expect(markTokens({ listed: [base, a], found: [b] })).not.toBe(second)
    apply({ dropped: [a, b] })
    expect(coverage.mark()).toBe(first)
  })

  it('has only the tokens of a full state after it', () => {
    const { coverage, apply } = create()
    apply({ found: [a] }, [pool(10, base, a)])
    apply({ listed: [base, c], found: [b] }, [pool(12, base, b)], 5, null)
    expect([coverage.isFollowed(a), coverage.isFollowed(b), coverage.isFollowed(c)]).toEqual([
      false,
      true,
      true,
    ])
    expect([...coverage.unlistedPools()]).toEqual([address(12)])
  })
})
