import type { Contact } from '../domain/address/contact.ts'
import type { createSettings } from './settings.ts'

type SettingsStore = Pick<ReturnType<typeof createSettings>, 'getState' | 'load' | 'save'>

/**
 * Saves what somebody made of a contact. What they left alone stays as another window wrote it meanwhile; one that is gone by now is there
 * again. Without `before` it is a new one.
 */
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
