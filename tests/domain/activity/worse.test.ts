import { describe, expect, it } from 'vitest'
import { newToken } from '../../../src/chain/erc20.ts'
import type { ShownOutcome, Simulation } from '../../../src/domain/activity/calls.ts'
import { findWorse, isWorse, restOf, toShown } from '../../../src/domain/activity/worse.ts'
import type { Address } from '../../../src/domain/token/token.ts'

const eth: Address = `0x${'e1'.repeat(20)}`
const usd: Address = `0x${'d1'.repeat(20)}`
const art: Address = `0x${'a1'.repeat(20)}`
const spender: Address = `0x${'51'.repeat(20)}`

const token = (address: Address) => newToken(address, 'T', '', 18)

type Succeeds = Extract<Simulation, { status: 'succeeds' }>

function found({ changes, grants, ...rest }: ShownOutcome): Succeeds {
  return {
    status: 'succeeds',
    changes: changes.map((change) => ({ ...change, token: token(change.token) })),
    grants: grants.map((grant) => ({ ...grant, token: token(grant.token) })),
    ...rest,
  }
}

const shown: ShownOutcome = {
  changes: [
    { token: eth, amount: -5_000n },
    { token: usd, amount: 3_000n },
  ],
  grants: [{ token: usd, spender, amount: 100n }],
}

const changed = (changes: ShownOutcome['changes'], grants = shown.grants) =>
  findWorse(shown, found({ changes, grants }))

describe('an outcome', () => {
  it('is not worse than itself, nor one percent from it, nor for what comes in besides', () => {
    expect(findWorse(shown, found(shown))).toBeUndefined()
    const moved = [
      { token: eth, amount: -5_050n },
      { token: usd, amount: 2_970n },
      { token: art, amount: 7n },
    ]
    expect(changed(moved)).toBeUndefined()
  })

  it('is worse when more leaves, less arrives, or something else leaves', () => {
    const [sold, bought] = shown.changes as [ShownOutcome['changes'][0], ShownOutcome['changes'][0]]
    expect(changed([{ token: eth, amount: -5_051n }, bought])).toMatchObject({ kind: 'leaves', token: eth })
    expect(changed([sold, { token: usd, amount: 2_969n }])).toMatchObject({ kind: 'leaves', token: usd })
    expect(changed([sold])).toMatchObject({ token: usd, expected: 3_000n, found: 0n })
    expect(changed([sold, bought, { token: art, amount: -1n }])).toMatchObject({ token: art, found: -1n })
    expect(changed([sold, bought, { token: art, nft: 4n, amount: -1n }])).toMatchObject({ token: art })
  })

  it('is worse when more may be taken, or by somebody else', () => {
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

  it('names the items that arrive and those that leave', () => {
    expect(findWorse(items(1n, 3n, 4n), found(items(1n, 4n, 3n)))).toBeUndefined()
    expect(findWorse(items(1n, 3n), found(items(1n, 9n)))).toMatchObject({ token: art, found: 0n })
    expect(findWorse(items(100n, 3n), found(items(100n, 9n)))).toMatchObject({ expected: 100n, found: 0n })
    expect(findWorse(items(1n, 3n, 4n), found(items(1n, 3n)))).toMatchObject({ expected: 1n, found: 0n })
    expect(findWorse(items(1n, 3n), found(drawn(3n)))).toMatchObject({ found: 0n })
    expect(findWorse(items(-1n, 3n), found(items(-1n, 4n)))).toMatchObject({ token: art, found: -1n })
  })

  it('counts the items that were shown with an id drawn at random', () => {
    expect(findWorse(drawn(3n, 4n), found(drawn(8n, 9n)))).toBeUndefined()
    expect(findWorse(drawn(3n, 4n), found(items(1n, 8n, 9n)))).toBeUndefined()
    expect(findWorse(drawn(3n, 4n), found(drawn(8n)))).toMatchObject({ expected: 2n, found: 1n })
    const both = { changes: [...items(1n, 1n).changes, ...drawn(4n).changes], grants: [] }
    expect(findWorse(both, found(items(1n, 1n, 9n)))).toBeUndefined()
    expect(findWorse(both, found(items(1n, 8n, 9n)))).toMatchObject({ expected: 1n, found: 0n })
    expect(restOf(drawn(3n, 4n), drawn(8n, 9n)).changes).toEqual([])
  })

  it('is worse when less reaches the recipient', () => {
    const arriving = (arrived: bigint): ShownOutcome => ({ ...shown, arrived })
    expect(findWorse(arriving(100n), found(arriving(99n)))).toBeUndefined()
    expect(findWorse(arriving(100n), found(arriving(98n)))).toMatchObject({ kind: 'arrives' })
    expect(findWorse(arriving(100n), found(shown))).toMatchObject({ kind: 'arrives', found: 0n })
  })

  it('of calls that fail is that nothing moves', () => {
    const nothing = toShown({ status: 'reverts', reason: 'no' })
    expect(nothing).toEqual({ changes: [], grants: [] })
    expect(findWorse(nothing as ShownOutcome, found(shown))).toMatchObject({ token: eth })
    expect(toShown({ status: 'unknown', reason: 'no' })).toBeUndefined()
  })

  it('without its first part is the rest', () => {
    const part = { changes: [{ token: eth, amount: -5_000n }], grants: [] }
    expect(restOf(shown, part)).toEqual({ ...shown, changes: [{ token: usd, amount: 3_000n }] })
    expect(restOf(part, shown).changes).toEqual([{ token: usd, amount: -3_000n }])
  })
})

describe('isWorse', () => {
  it('allows a percent of what was expected, and nothing of nothing', () => {
    expect([isWorse(0n, 0n), isWorse(0n, 1n), isWorse(0n, -1n)]).toEqual([false, false, true])
    expect([isWorse(99n, 98n), isWorse(-99n, -100n)]).toEqual([true, true])
  })
})
