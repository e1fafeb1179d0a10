import { expect, it } from 'vitest'
import { pastRecipients } from '../../../src/domain/address/recipientWarnings.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import { suggestRecipients } from '../../../src/ui/send/recipientSuggestions.ts'
import { account, dai, friend, sending, usdc } from '../../helpers/samples/activitySamples.ts'

const known = {
  contacts: [{ address: friend, name: 'Zoë', note: 'The baker' }],
  accounts: [
    { address: account, name: 'Account 1' },
    { address: usdc, name: 'Savings' },
  ],
  earlier: [friend, dai, account],
}
const offered = (text: string) =>
  suggestRecipients(known, account, text).map(({ name, what }) => [name, what])

it('offers contacts, other own accounts and past recipients, each once and without the sender', () => {
  expect(offered('')).toEqual([
    ['Zoë', 'Contact'],
    ['Savings', 'Your account'],
    ['0xdada…dada', 'Recent'],
  ])
})

it('filters suggestions by contact note and address prefix', () => {
  expect(offered('bak')).toEqual([['Zoë', 'Contact']])
  expect(offered('0xda')).toEqual([['0xdada…dada', 'Recent']])
  expect(offered('someone')).toEqual([])
})

it('never offers a look-alike address known only from dapp calls, by its first or last four digits', () => {
  const lookalike = (of: Address): Address => `0x${of.slice(2, 6)}${'7'.repeat(32)}${of.slice(-4)}`
  const paid = (to: Address) => sending({}, { purpose: { kind: 'transfer', token: usdc, to, amount: 1n } })
  // Dapp calls and token events can name any address.
  const cameIn = [dai, friend].map((of) =>
    sending({}, { calls: [{ to: lookalike(of), data: '0x', value: 0n }] }),
  )
  const now = { ...known, earlier: pastRecipients([...cameIn, paid(dai), paid(friend)]) }
  const found = (text: string) => suggestRecipients(now, account, text).map(({ address }) => address)
  expect(found('')).toEqual([friend, usdc, dai])
  expect(found(dai.slice(0, 6))).toEqual([dai])
  expect(found(dai.slice(-4))).toEqual([dai])
  expect(found(friend.slice(0, 6))).toEqual([friend])
})
