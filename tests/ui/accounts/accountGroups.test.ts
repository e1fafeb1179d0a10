import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Address } from '../../../src/domain/token/token.ts'
import type { OwnAccount } from '../../../src/protocol.ts'
import { findAccounts, groupAccounts, moveTo } from '../../../src/ui/accounts/accountGroups.ts'

const seeds = [
  { id: '0x0a', backedUp: true },
  { id: '0x0b', backedUp: false },
]

function one(digit: string, kind: OwnAccount['kind'], secret?: string): OwnAccount {
  return { address: `0x${digit.repeat(40)}`, name: `Account ${digit}`, isHidden: false, kind, secret }
}

const [a1, key, b1, a2, watched, a3] = [
  one('1', 'seed', '0x0a'),
  one('2', 'key', '0x0c'),
  one('3', 'seed', '0x0b'),
  one('4', 'seed', '0x0a'),
  one('5', 'watched'),
  one('6', 'seed', '0x0a'),
] as const
const owned = [a1, key, b1, a2, watched, a3]

describe('groupAccounts', () => {
  it('groups accounts by phrase, then keys, then watch-only accounts, each in their own order', () => {
    expect(groupAccounts(owned, seeds)).toEqual([
      { kind: 'seed', seed: seeds[0], number: 1, accounts: [a1, a2, a3] },
      { kind: 'seed', seed: seeds[1], number: 2, accounts: [b1] },
      { kind: 'key', accounts: [key] },
      { kind: 'watched', accounts: [watched] },
    ])
    expect(groupAccounts([watched], [])).toEqual([{ kind: 'watched', accounts: [watched] }])
  })
})

describe('moveTo', () => {
  const addresses = (accounts: OwnAccount[]) => accounts.map(({ address }) => address)

  it('moves an account within its group and keeps the positions of other groups', () => {
    expect(moveTo(owned, a3.address, a1.address)).toEqual(addresses([a3, key, b1, a1, watched, a2]))
    expect(moveTo(owned, a1.address, a2.address)).toEqual(addresses([a2, key, b1, a1, watched, a3]))
  })

  it('does not move an account to another group, or to or from an unknown address', () => {
    for (const [moved, target] of [
      [a1, key],
      [a1, b1],
      [watched, key],
    ] as const) {
      expect(moveTo(owned, moved.address, target.address)).toEqual(addresses(owned))
    }
    expect(moveTo(owned, `0x${'9'.repeat(40)}`, a1.address)).toEqual(addresses(owned))
    expect(moveTo(owned, a1.address, `0x${'9'.repeat(40)}`)).toEqual(addresses(owned))
  })

  it('keeps every account exactly once after any move', () => {
    const any = fc.constantFrom(...addresses(owned))
    fc.assert(
      fc.property(any, any, (moved: Address, target: Address) => {
        expect(moveTo(owned, moved, target).sort()).toEqual(addresses(owned).sort())
      }),
    )
  })
})

it('finds accounts by name and by address, in any letter case', () => {
  const find = (text: string) => findAccounts(owned, text, ({ name }) => name)
  expect(find(' ACCOUNT 4')).toEqual([a2])
  expect(find('0x5555')).toEqual([watched])
  expect(find('')).toEqual(owned)
  expect(find('nobody')).toEqual([])
})
