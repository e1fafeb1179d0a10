import { expect, it } from 'vitest'
import { type Contact, changeContacts, searchContacts } from '../../../src/domain/address/contact.ts'
import { dai, friend, usdc } from '../../helpers/samples/activitySamples.ts'

const zoe: Contact = { address: friend, name: 'Zoë', note: 'The baker' }
const bob: Contact = { address: dai, name: 'Bob' }

it('keeps contacts sorted by name', () => {
  expect(changeContacts([zoe], [bob], [])).toEqual([bob, zoe])
  expect(changeContacts([bob, zoe], [{ ...zoe, name: 'Anna' }], [friend])).toEqual([
    { ...zoe, name: 'Anna' },
    bob,
  ])
})

it('replaces the address of a contact without keeping the old one', () => {
  expect(changeContacts([bob, zoe], [{ ...bob, address: usdc }], [dai])).toEqual([
    { ...bob, address: usdc },
    zoe,
  ])
})

it('removes a single contact', () => {
  expect(changeContacts([bob, zoe], [], [dai])).toEqual([zoe])
})

it('finds contacts by name, note and address prefix, ignoring case and accents', () => {
  const found = (text: string) => searchContacts([bob, zoe], text)
  expect(found('')).toEqual([bob, zoe])
  expect(found(' ZOE')).toEqual([zoe])
  expect(found('bak')).toEqual([zoe])
  expect(found(dai.slice(0, 8).toUpperCase().replace('X', 'x'))).toEqual([bob])
  // Look-alike addresses copy the end.
  expect(found(dai.slice(-6))).toEqual([])
  expect(found('nobody')).toEqual([])
})
