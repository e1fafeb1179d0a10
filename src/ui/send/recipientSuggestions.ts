import { type Contact, searchContacts } from '../../domain/address/contact.ts'
import type { Address } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import type { Account } from '../../protocol.ts'
import { accountName } from '../format/accountName.ts'
import { shortAddress, showInvisible } from '../format/address.ts'

export type RecipientSuggestion = { address: Address; name: string; note?: string | undefined; what: string }

type Known = {
  contacts: readonly Contact[]
  accounts: readonly Account[]
  /** Recipients of the user's own transfers. */
  earlier: readonly Address[]
}

const maxShown = 50

/** Returns known addresses that match `text`, without the sender. */
export function suggestRecipients(
  { contacts, accounts, earlier }: Known,
  sender: Address,
  text: string,
): RecipientSuggestion[] {
  const known: RecipientSuggestion[] = [
    ...contacts.map(({ address, name, note }) => ({
      address,
      name: showInvisible(name),
      note,
      what: t('Contact'),
    })),
    ...accounts.map(({ address, name }) => ({
      address,
      name: accountName({ name }),
      what: t('Your account'),
    })),
    ...earlier.map((address) => ({ address, name: shortAddress(address), what: t('Recent') })),
  ]
  const people = new Map<Address, RecipientSuggestion>()
  for (const person of known) if (!people.has(person.address)) people.set(person.address, person)
  people.delete(sender)
  return searchContacts([...people.values()], text).slice(0, maxShown)
}
