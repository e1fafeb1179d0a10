import type { Address } from '../token/token.ts'

/** Somebody whom the user knows by an address. One address has one name; one name may have several. */
export type Contact = { address: Address; name: string; note?: string }

/** So long a name or a note may be. */
export const maxNameLength = 64

export const maxContacts = 1_000

/** Without those `forgotten`, and with those `added`, by name. */
export function changeContacts(
  contacts: readonly Contact[],
  added: readonly Contact[],
  forgotten: readonly Address[],
): Contact[] {
  const kept = contacts.filter(({ address }) => !forgotten.includes(address))
  return [...kept, ...added].sort((one, other) => one.name.localeCompare(other.name))
}

/** Those whose name, note or address has the text in it; an address by its beginning. All for an empty one. */
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

/** Without case and accents. */
export function foldCase(text: string): string {
  return text.trim().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
