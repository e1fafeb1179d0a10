import { useState } from 'preact/hooks'
import type { Contact } from '../../domain/address/contact.ts'
import { addressIn } from '../../domain/address/typedAddress.ts'
import type { Address } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { AddressGroups } from '../components/address/AddressGroups.tsx'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Field } from '../components/fields/Field.tsx'
import { Sheet } from '../components/Sheet.tsx'
import { showInvisible } from '../format/address.ts'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useUnsavedEdits } from '../hooks/data/useUnsavedEdits.ts'
import { ContactWarnings } from './ContactWarnings.tsx'
import { type TypedContact, validateContact } from './validateContact.ts'

type Props = {
  /** Contact to edit, or address to add. */
  address: Address | undefined
  contacts: Contact[]
  onSave(contact: Contact, before: Contact | undefined): Promise<void>
  onRemove(address: Address): Promise<void>
  onClose(): void
}

export function ContactSheet({ address, contacts, onSave, onRemove, onClose }: Props) {
  // Ignores a contact another window adds.
  const [kept] = useState(contacts.find((one) => one.address === address))
  const { edits, edit, drop } = useUnsavedEdits<TypedContact>(`contact-${address ?? 'new'}`)
  const typed: TypedContact = {
    name: kept?.name ?? '',
    address: address ?? '',
    note: kept?.note ?? '',
    ...edits,
  }
  const [isSure, setSure] = useState(false)
  const { contact, faults } = validateContact(typed, contacts, kept?.address)
  // Closing drops the draft; a closed popup keeps it.
  const close = () => {
    drop(edits)
    onClose()
  }
  const save = useMutation(async () => {
    if (contact === undefined) return
    await onSave(contact, kept)
    close()
  })
  const remove = useMutation(async () => {
    if (kept !== undefined) await onRemove(kept.address)
    close()
  })
  const whole = faults.address === undefined ? addressIn(typed.address) : undefined
  const error = save.error ?? remove.error
  return (
    <Sheet title={kept ? showInvisible(kept.name) : t('New contact')} onClose={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          save.run()
        }}
      >
        <Field
          label={t('Name')}
          autocomplete="off"
          isFirst
          value={typed.name}
          onInput={(name) => edit({ name })}
          fault={faults.name}
        />
        <Field
          label={t('Address')}
          autocomplete="off"
          value={typed.address}
          onInput={(text) => edit({ address: text })}
          fault={faults.address}
        />
        {whole && (
          <div class="stack" aria-live="polite">
            <AddressGroups address={whole} />
            <ContactWarnings
              contact={{ address: whole, name: typed.name }}
              contacts={contacts.filter((one) => one.address !== kept?.address)}
            />
          </div>
        )}
        <Field
          label={t('Note')}
          autocomplete="off"
          value={typed.note}
          onInput={(note) => edit({ note })}
          fault={faults.note}
        />
        {error && <ErrorMessage error={error} />}
        <div class="sheet-acts">
          {kept && (
            <button
              type="button"
              class="second second-danger"
              disabled={remove.isRunning}
              onClick={() => (isSure ? remove.run() : setSure(true))}
            >
              {isSure ? t('Confirm removal') : t('Remove')}
            </button>
          )}
          <button type="submit" class="main" disabled={contact === undefined || save.isRunning}>
            {t('Save')}
          </button>
        </div>
      </form>
    </Sheet>
  )
}
