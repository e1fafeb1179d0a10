import { beforeEach, describe, expect, it } from 'vitest'
import type { Contact } from '../../src/domain/address/contact.ts'
import { changeContact } from '../../src/state/contactChanges.ts'
import { standInSettings } from '../helpers/state/fakeSettings.ts'

const [ann, bob] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`] as const
const before: Contact = { address: ann, name: 'Ann', note: 'Rent' }

let { one, elsewhere } = standInSettings()
const contacts = () => one.getState().settings?.contacts
const written = (contact: Contact) => elsewhere({ contacts: [contact], forgotten: [ann] })

beforeEach(async () => {
  ;({ one, elsewhere } = standInSettings())
  elsewhere({ contacts: [before] })
  await one.load()
})

describe('a contact that two windows change', () => {
  it('merges the name from one window with the note from the other', async () => {
    written({ ...before, note: 'Flat' })
    await changeContact(one, { ...before, name: 'Anna' }, before)
    expect(contacts()).toEqual([{ address: ann, name: 'Anna', note: 'Flat' }])
    written({ address: ann, name: 'Anne', note: 'Flat' })
    await changeContact(one, { ...before, note: 'Boat' }, before)
    expect(contacts()).toEqual([{ address: ann, name: 'Anne', note: 'Boat' }])
  })

  it('removes the note when either window removed it', async () => {
    await changeContact(one, { address: ann, name: 'Ann' }, before)
    expect(contacts()).toEqual([{ address: ann, name: 'Ann' }])
    await changeContact(one, { ...before, name: 'Anna' }, before)
    expect(contacts()).toEqual([{ address: ann, name: 'Anna' }])
  })

  it('combines the new address with a name that another window changed', async () => {
    written({ ...before, name: 'Anna' })
    await changeContact(one, { ...before, address: bob }, before)
    expect(contacts()).toEqual([{ address: bob, name: 'Anna', note: 'Rent' }])
  })

  it('keeps the later name when both windows changed it', async () => {
    written({ ...before, name: 'Anna' })
    await changeContact(one, { ...before, name: 'Anne' }, before)
    expect(contacts()).toEqual([{ ...before, name: 'Anne' }])
  })

  it('restores a contact that the other window removed', async () => {
    elsewhere({ forgotten: [ann] })
    await changeContact(one, { ...before, name: 'Anna' }, before)
    expect(contacts()).toEqual([{ ...before, name: 'Anna' }])
  })
})

it('adds a new contact beside one that another window added', async () => {
  elsewhere({ contacts: [{ address: bob, name: 'Bob' }], forgotten: [ann] })
  await changeContact(one, before, undefined)
  expect(contacts()).toEqual([before, { address: bob, name: 'Bob' }])
})
