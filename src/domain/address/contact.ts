import type { Address } from '../token/token.ts'

/** One name per address; a name may have several. */
export type Contact = { address: Address; name: string; note?: string }

export const maxNameLength = 64

export const maxContacts = 1_000

export function changeContacts(
  contacts: readonly Contact[],
  added: readonly Contact[],
  forgotten: readonly Address[],
): Contact[] {
  const kept = contacts.filter(({ address }) => !forgotten.includes(address))
  return [...kept, ...added].sort((one, other) => one.name.localeCompare(other.name))
}

/** Matches name, note, or the beginning of the address. */
export function searchContacts<One extends Pick<Contact, 'address' | 'name'> & { note?: string | undefined }>(
  contacts: readonly One[],
  text: string,
): One[] {
  const wanted = foldCase(text)
  return contacts.filter(
    ({ address, name, note = '' }) =>
      foldCase(name).includes(wanted) || foldCase(note).includes(wanted) || address.startsWith(wanted),
  )
}

export function foldCase(text: string): string {
  return text.trim().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
