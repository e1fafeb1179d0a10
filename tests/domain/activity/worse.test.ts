import { describe, expect, it } from 'vitest'
import type { ShownOutcome } from '../../../src/domain/activity/callBatch.ts'
import {
  allowsWorse,
  findWorse,
  isWorse,
  subtractOutcome,
  toShown,
} from '../../../src/domain/activity/worse.ts'
import type { Address } from '../../../src/domain/token/token.ts'

const eth: Address = `0x${'e1'.repeat(20)}`
const usd: Address = `0x${'d1'.repeat(20)}`
const art: Address = `0x${'a1'.repeat(20)}`
const spender: Address = `0x${'51'.repeat(20)}`

const shown: ShownOutcome = {
  changes: [
    { token: eth, amount: -5_000n },
    { token: usd, amount: 3_000n },
  ],
  grants: [{ token: usd, spender, amount: 100n }],
}

const changed = (changes: ShownOutcome['changes'], grants = shown.grants) =>
  findWorse(shown, { changes, grants })

describe('comparison of outcomes', () => {
  it('accepts an identical outcome, a deviation of one percent and additional incoming tokens', () => {
    expect(findWorse(shown, shown)).toBeUndefined()
    const moved = [
      { token: eth, amount: -5_050n },
      { token: usd, amount: 2_970n },
      { token: art, amount: 7n },
    ]
    expect(changed(moved)).toBeUndefined()
  })

  it('reports larger outflows, smaller inflows and additional outgoing tokens', () => {
    const [sold, bought] = shown.changes as [ShownOutcome['changes'][0], ShownOutcome['changes'][0]]
    expect(changed([{ token: eth, amount: -5_051n }, bought])).toMatchObject({ kind: 'leaves', token: eth })
    expect(changed([sold, { token: usd, amount: 2_969n }])).toMatchObject({ kind: 'leaves', token: usd })
    expect(changed([sold])).toMatchObject({ token: usd, expected: 3_000n, found: 0n })
    expect(changed([sold, bought, { token: art, amount: -1n }])).toMatchObject({ token: art, found: -1n })
    expect(changed([sold, bought, { token: art, nft: 4n, amount: -1n }])).toMatchObject({ token: art })
  })

  it('reports a larger allowance and an additional spender', () => {
    const grant = (amount: bigint | 'all', by = spender) => [{ token: usd, spender: by, amount }]
    expect(changed(shown.changes, grant(101n))).toBeUndefined()
    expect(changed(shown.changes, grant(102n))).toMatchObject({ kind: 'grants', expected: 100n })
    expect(changed(shown.changes, grant('all'))).toMatchObject({ kind: 'grants', found: 'all' })
    expect(changed(shown.changes, grant(1n, eth))).toMatchObject({ kind: 'grants', spender: eth })
    expect(changed(shown.changes, [])).toBeUndefined()
  })

  const items = (amount: bigint, ...ids: bigint[]): ShownOutcome => ({
    changes: ids.map((nft) => ({ token: art, nft, amount })),
    grants: [],
  })
  const drawn = (...ids: bigint[]): ShownOutcome => ({
    changes: ids.map((nft) => ({ token: art, nft, amount: 1n, isDrawn: true })),
    grants: [],
  })

  it('compares incoming and outgoing items by their ids', () => {
    expect(findWorse(items(1n, 3n, 4n), items(1n, 4n, 3n))).toBeUndefined()
    expect(findWorse(items(1n, 3n), items(1n, 9n))).toMatchObject({ token: art, found: 0n })
    expect(findWorse(items(100n, 3n), items(100n, 9n))).toMatchObject({ expected: 100n, found: 0n })
    expect(findWorse(items(1n, 3n, 4n), items(1n, 3n))).toMatchObject({ expected: 1n, found: 0n })
    expect(findWorse(items(1n, 3n), drawn(3n))).toMatchObject({ found: 0n })
    expect(findWorse(items(-1n, 3n), items(-1n, 4n))).toMatchObject({ token: art, found: -1n })
  })

  it('compares items with randomly drawn ids by count', () => {
    expect(findWorse(drawn(3n, 4n), drawn(8n, 9n))).toBeUndefined()
    expect(findWorse(drawn(3n, 4n), items(1n, 8n, 9n))).toBeUndefined()
    expect(findWorse(drawn(3n, 4n), drawn(8n))).toMatchObject({ expected: 2n, found: 1n })
    const both = { changes: [...items(1n, 1n).changes, ...drawn(4n).changes], grants: [] }
    expect(findWorse(both, items(1n, 1n, 9n))).toBeUndefined()
    expect(findWorse(both, items(1n, 8n, 9n))).toMatchObject({ expected: 1n, found: 0n })
    expect(subtractOutcome(drawn(3n, 4n), drawn(8n, 9n)).changes).toEqual([])
  })

  it('reports that less reaches the recipient', () => {
    const arriving = (arrived: bigint): ShownOutcome => ({ ...shown, arrived })
    expect(findWorse(arriving(100n), arriving(99n))).toBeUndefined()
    expect(findWorse(arriving(100n), arriving(98n))).toMatchObject({ kind: 'arrives' })
    expect(findWorse(arriving(100n), shown)).toMatchObject({ kind: 'arrives', found: 0n })
  })

  it('reports an outcome that is less certain', () => {
    for (const kind of ['weak', 'unstable'] as const) {
      const uncertain = { ...shown, ...(kind === 'weak' ? { isWeak: true } : { isUnstable: true }) }
      expect(findWorse(shown, uncertain)).toEqual({ kind })
      expect(findWorse(uncertain, shown)).toBeUndefined()
      expect(findWorse(uncertain, uncertain)).toBeUndefined()
    }
  })

  it('keeps the uncertainty flags in the shown outcome', () => {
    const simulation = {
      status: 'succeeds',
      changes: [],
      grants: [],
      isWeak: true,
      isUnstable: true,
    } as const
    expect(toShown({ ...simulation, changes: [], grants: [] })).toEqual({
      changes: [],
      grants: [],
      isWeak: true,
      isUnstable: true,
    })
  })

  it('shows reverting calls as no change and an unknown simulation as no outcome', () => {
    const nothing = toShown({ status: 'reverts', reason: 'no' })
    expect(nothing).toEqual({ changes: [], grants: [] })
    expect(findWorse(nothing as ShownOutcome, shown)).toMatchObject({ token: eth })
    expect(toShown({ status: 'unknown', reason: 'no' })).toBeUndefined()
  })

  it('subtracts the outcome of the first part', () => {
    const part = { changes: [{ token: eth, amount: -5_000n }], grants: [] }
    expect(subtractOutcome(shown, part)).toEqual({ ...shown, changes: [{ token: usd, amount: 3_000n }] })
    expect(subtractOutcome(part, shown).changes).toEqual([{ token: usd, amount: -3_000n }])
  })
})

describe('isWorse', () => {
  it('tolerates no decrease of zero and of amounts below 100 units', () => {
    expect([isWorse(0n, 0n), isWorse(0n, 1n), isWorse(0n, -1n)]).toEqual([false, false, true])
    expect([isWorse(99n, 98n), isWorse(-99n, -100n)]).toEqual([true, true])
  })
})

describe('allowsWorse', () => {
  const parts = [{ changes: [{ token: eth, amount: -5_000n }], grants: [] }]
  const batch: ShownOutcome = { ...shown, parts }

  it('returns false for the shown outcome itself and for one that is more certain', () => {
    expect(allowsWorse(shown, shown)).toBe(false)
    expect(allowsWorse(batch, batch)).toBe(false)
    expect(allowsWorse(shown, { ...shown, isWeak: true })).toBe(false)
  })

  it('returns true for a worse outcome, lower certainty, a worse part and a missing part', () => {
    expect(allowsWorse({ changes: [], grants: [] }, shown)).toBe(true)
    expect(allowsWorse({ ...shown, isWeak: true }, shown)).toBe(true)
    expect(allowsWorse({ ...shown, grants: [{ token: eth, spender, amount: 1n }] }, shown)).toBe(true)
    const worse = [{ changes: [{ token: eth, amount: -6_000n }], grants: [] }]
    expect(allowsWorse({ ...batch, parts: worse }, batch)).toBe(true)
    expect(allowsWorse(shown, batch)).toBe(true)
  })
})
