import type { Contact } from '../domain/address/contact.ts'
import type { createSettings } from './settings.ts'

type SettingsStore = Pick<ReturnType<typeof createSettings>, 'getState' | 'load' | 'save'>

/** Saves an edited contact. Unedited fields keep another window's changes; a deleted contact is restored. */
export async function changeContact(
  settings: SettingsStore,
  after: Contact,
  before: Contact | undefined,
): Promise<void> {
  if (before === undefined) return settings.save({ contacts: [after] })
  await settings.load()
  const now = settings.getState().settings?.contacts.find(({ address }) => address === before.address)
  const kept = (field: 'name' | 'note') => (after[field] === before[field] && now ? now : after)[field]
  const note = kept('note')
  await settings.save({
    contacts: [
      { address: after.address, name: kept('name') ?? after.name, ...(note !== undefined && { note }) },
    ],
    forgotten: [before.address],
  })
}
