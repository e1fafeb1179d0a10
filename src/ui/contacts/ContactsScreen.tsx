import { useState } from 'preact/hooks'
import { searchContacts } from '../../domain/address/contact.ts'
import { type Address, parseAddress } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { changeContact } from '../../state/contactChanges.ts'
import { createSend } from '../../state/send/send.ts'
import { Identicon } from '../components/address/Identicon.tsx'
import { SearchField, useSearch } from '../components/fields/SearchField.tsx'
import { Icon } from '../components/Icon.tsx'
import { Page } from '../components/Page.tsx'
import { shortAddress, showInvisible } from '../format/address.ts'
import type { ScreenProps } from '../screenProps.ts'
import { ContactSheet } from './ContactSheet.tsx'
import '../style/lazy/send.css'
import { useContacts } from '../hooks/data/useContacts.ts'
import { useStores } from '../hooks/data/useStore.ts'

/** `of` is an address to add or edit. */
export function ContactsScreen({ of }: ScreenProps) {
  const stores = useStores()
  const contacts = useContacts()
  const asked = parseAddress(of ?? '')
  const [open, setOpen] = useState<Address | 'new' | undefined>(asked)
  const search = useSearch(contacts.length)
  const found = searchContacts(contacts, search.text)
  const sendTo = (address: Address) => {
    stores.get(createSend).setTo(address)
    stores.router.go('send')
  }
  return (
    <Page
      title={t('Contacts')}
      onBack={stores.router.back}
      foot={
        <button type="button" class="main" onClick={() => setOpen('new')}>
          {t('Add a contact')}
        </button>
      }
    >
      {search.isNeeded && (
        <SearchField label={t('Search contacts')} placeholder={t('Name, note or address')} {...search} />
      )}
      {contacts.length === 0 && (
        <p class="nothing">
          {t('No contacts yet. Save the addresses you send to, and you’ll see their names instead.')}
        </p>
      )}
      {contacts.length > 0 && found.length === 0 && (
        <p class="nothing" role="status">
          {t('No contacts found')}
        </p>
      )}
      {found.length > 0 && (
        <ul class="panel group" aria-label={t('Contacts')}>
          {found.map(({ address, name, note }) => (
            <li key={address} class="contact">
              <button type="button" class="list-row" onClick={() => setOpen(address)}>
                <Identicon address={address} size={32} />
                <span class="who">
                  <span class="who-name">{showInvisible(name)}</span>
                  <span class="dim small clip-line">
                    <span class="num">{shortAddress(address)}</span>
                    {note && ` · ${showInvisible(note)}`}
                  </span>
                </span>
              </button>
              <button
                type="button"
                class="round"
                aria-label={t('Send to {name}', { name: showInvisible(name) })}
                title={t('Send')}
                onClick={() => sendTo(address)}
              >
                <Icon name="send" size={18} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {open !== undefined && (
        <ContactSheet
          key={open}
          address={open === 'new' ? undefined : open}
          contacts={contacts}
          onSave={(contact, before) => changeContact(stores.settings, contact, before)}
          onRemove={(address) => stores.settings.save({ forgotten: [address] })}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Page>
  )
}
