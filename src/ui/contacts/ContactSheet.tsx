import { useState } from 'preact/hooks'
import type { Contact } from '../../domain/address/contact.ts'
import { addressIn } from '../../domain/address/typedAddress.ts'
import type { Address } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { AddressGroups } from '../components/AddressGroups.tsx'
import { ErrorNote } from '../components/ErrorMessage.tsx'
import { Field } from '../components/Field.tsx'
import { Sheet } from '../components/Sheet.tsx'
import { showInvisible } from '../format/address.ts'
import { useUnsavedEdits } from '../hooks/useKept.ts'
import { useMutation } from '../hooks/useMutation.ts'
import { ContactDoubts } from './ContactWarnings.tsx'
import { readContact, type TypedContact } from './validateContact.ts'

type Props = {
  /** Of a contact to change, or of somebody to become one. */
  address: Address | undefined
  contacts: Contact[]
  onSave(contact: Contact, before: Contact | undefined): Promise<void>
  onRemove(address: Address): Promise<void>
  onClose(): void
}

/** One contact: name, address, note. */
export function ContactSheet({ address, contacts, onSave, onRemove, onClose }: Props) {
  // One that another window adds meanwhile is not the one that is written here.
  const [kept] = useState(contacts.find((one) => one.address === address))
  const { edits, edit, drop } = useUnsavedEdits<TypedContact>(`contact-${address ?? 'new'}`)
  const typed: TypedContact = {
    name: kept?.name ?? '',
    address: address ?? '',
    note: kept?.note ?? '',
    ...edits,
  }
  const [isSure, setSure] = useState(false)
  const { contact, faults } = readContact(typed, contacts, kept?.address)
  // A sheet that is closed by hand is given up; one that goes with its popup comes back as it was.
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
            <ContactDoubts
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
        {error && <ErrorNote error={error} />}
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
