import { type Contact, maxContacts, maxNameLength } from '../../domain/address/contact.ts'
import { addressIn } from '../../domain/address/typedAddress.ts'
import { type Address, zeroAddress } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { showInvisible } from '../format/address.ts'
import { validateAddress } from '../messages/errors/validation.ts'

export type TypedContact = { name: string; address: string; note: string }

export type ContactErrors = Partial<Record<keyof TypedContact, string | undefined>>

/** Parses a contact, or returns a validation error per field. Empty fields have none. */
export function validateContact(
  typed: TypedContact,
  contacts: readonly Contact[],
  before: Address | undefined,
): { contact?: Contact; faults: ContactErrors } {
  const [name, note, text] = [showInvisible(typed.name), showInvisible(typed.note), typed.address]
  const address = addressIn(text)
  const others = contacts.filter((one) => one.address !== before)
  const same = others.find((one) => one.address === address)
  const faults: ContactErrors = {
    name: name.length > maxNameLength ? tooLong() : undefined,
    note: note.length > maxNameLength ? tooLong() : undefined,
    address:
      validateAddress(text) ??
      (address === zeroAddress
        ? t('This is the zero address. No one controls it.')
        : same && t('Already saved as {name}', { name: showInvisible(same.name) })),
  }
  if (before === undefined && contacts.length >= maxContacts) faults.name = t('Contact limit reached.')
  const isFine = Object.values(faults).every((fault) => fault === undefined)
  if (!isFine || address === undefined || name === '') return { faults }
  return { contact: { address, name, ...(note !== '' && { note }) }, faults }
}

function tooLong(): string {
  return t('Max {count} characters', { count: maxNameLength })
}
