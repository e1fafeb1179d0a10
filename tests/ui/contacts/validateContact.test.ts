import { expect, it } from 'vitest'
import { maxContacts } from '../../../src/domain/address/contact.ts'
import { zeroAddress } from '../../../src/domain/token/token.ts'
import { validateContact } from '../../../src/ui/contacts/validateContact.ts'
import { dai, friend } from '../../helpers/samples/activitySamples.ts'

const bob = { address: dai, name: 'Bob' }
const typed = { name: 'Zoë', address: friend, note: '' }

it('accepts a name and an address, with or without a note', () => {
  expect(validateContact(typed, [bob], undefined).contact).toEqual({ address: friend, name: 'Zoë' })
  expect(
    validateContact(
      { ...typed, address: ` 0x${friend.slice(2).toUpperCase()} `, note: ' baker ' },
      [bob],
      undefined,
    ).contact,
  ).toEqual({
    address: friend,
    name: 'Zoë',
    note: 'baker',
  })
})

it('accepts an address in the forms of ERC-3770 and EIP-681, for any network', () => {
  for (const address of [`eth:${friend}`, `ethereum:${friend}@10`, `“${friend}”`])
    expect(validateContact({ ...typed, address }, [bob], undefined).contact?.address).toBe(friend)
})

it('removes invisible characters from a name', () => {
  expect(validateContact({ ...typed, name: '\u202eZo\u200bë ' }, [], undefined).contact?.name).toBe('Zoë')
  expect(validateContact({ ...typed, name: '\u200b' }, [], undefined)).toEqual({ faults: expect.anything() })
})

it('reports no errors for fields that are still empty', () => {
  const { contact, faults } = validateContact({ name: '', address: '', note: '' }, [], undefined)
  expect(contact).toBeUndefined()
  expect(Object.values(faults).filter(Boolean)).toEqual([])
})

it.each([
  ['0x12', '0x and 40 characters'],
  [`0xA${friend.slice(3)}`, 'Invalid checksum'],
  [zeroAddress, 'zero address'],
  [dai, 'Already saved as Bob'],
])('rejects the address %s with an error message', (address, words) => {
  const { contact, faults } = validateContact({ ...typed, address }, [bob], undefined)
  expect(contact).toBeUndefined()
  expect(faults.address).toContain(words)
})

it('accepts the unchanged address of the contact being edited', () => {
  expect(validateContact({ ...typed, address: dai }, [bob], dai).contact).toEqual({
    address: dai,
    name: 'Zoë',
  })
})

it('rejects a name or note over 64 characters, and a contact over the limit', () => {
  const long = 'x'.repeat(65)
  expect(validateContact({ ...typed, name: long }, [], undefined).faults.name).toContain('64')
  expect(validateContact({ ...typed, note: long }, [], undefined).faults.note).toContain('64')
  const many = Array.from({ length: maxContacts }, () => bob)
  expect(validateContact(typed, many, undefined).contact).toBeUndefined()
  expect(validateContact({ ...typed, address: dai }, many, dai).contact).toBeDefined()
})
