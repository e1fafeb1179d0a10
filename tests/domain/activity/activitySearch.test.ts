import { describe, expect, it } from 'vitest'
import { searchActivity } from '../../../src/domain/activity/activitySearch.ts'
import type { ActivityEntry } from '../../../src/domain/activity/incoming.ts'
import {
  account,
  friend,
  hash,
  incoming,
  nameOf,
  revocation,
  sending,
  swap,
  transfer,
  usdc,
} from '../../helpers/samples/activitySamples.ts'

const site = sending({ steps: [] }, { origin: 'https://app.example', calls: [] })
const odd = swap({ steps: [] }, { trade: { chainId: 1, sell: usdc, buy: account, amount: 1_234_560_000n } })
const all: ActivityEntry[] = [swap(), transfer, revocation, site, odd]
const personOf = (address: string) => ({ [friend]: 'José Müller', [account]: 'Savings' })[address]
const names = { tokenOf: nameOf, personOf }
const found = (text: string) => searchActivity(all, text, names).map((one) => all.indexOf(one))

describe('activity search', () => {
  it.each([
    ['', [0, 1, 2, 3, 4]],
    ['  ', [0, 1, 2, 3, 4]],
    ['dai', [0, 2]],
    ['usd coin', [0, 1, 4]],
    ['DAI usdc', [0]],
    ['1.5', [0]],
    ['1,5', [0]],
    ['12.345678', [1]],
    ['1,234.56', [4]],
    ['1234.56', [4]],
    ['app.example', [3]],
    [hash('1'), [0]],
    [hash('2').slice(0, 12), [1, 2]],
    [friend.toUpperCase().replace('X', 'x'), [1, 2]],
    [usdc, [0, 1, 4]],
    ['josé', [1, 2]],
    ['jose MULLER', [1, 2]],
    ['savings', [0, 1, 2, 3, 4]],
    ['dai jose', [2]],
    ['nothing', []],
    ['dai nothing', []],
  ] as const)('finds for “%s” the activities at %j', (text, expected) => {
    expect(found(text)).toEqual(expected)
  })

  it('finds an incoming transfer by amount, token, sender and hash', () => {
    for (const text of ['2.5', 'usdc', 'josé', 'savings', hash('5'), friend])
      expect(searchActivity([incoming, odd], text, names)).toContain(incoming)
    expect(searchActivity([incoming], 'dai', names)).toEqual([])
  })

  it('finds an amount of a token without metadata by its base units', () => {
    expect(searchActivity([transfer], '12345678', { tokenOf: () => undefined, personOf })).toEqual([transfer])
  })
})
