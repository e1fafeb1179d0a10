import type { Address } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import type { OwnAccount } from '../../protocol.ts'
import type { Recipient } from '../../state/send/recipientResolver.ts'
import { AddressLabel } from '../components/address/AddressLabel.tsx'
import { AddressWarnings } from '../contacts/AddressWarnings.tsx'
import { useContacts, useNames } from '../hooks/data/useContacts.ts'
import { useId } from '../hooks/useId.ts'
import { formatFoundName, type RecipientNotice, validateRecipient } from '../messages/recipient.ts'
import { useMessage } from '../messages/useMessages.ts'
import { KnownRecipient } from './KnownRecipient.tsx'
import { suggestRecipients } from './recipientSuggestions.ts'

type Props = {
  text: string
  recipient: Recipient
  account: Address
  accounts: OwnAccount[]
  /** Undefined until loaded. */
  earlier: Address[] | undefined
  words: RecipientNotice[]
  onInput(text: string): void
  onContacts(): void
}

/** Suggests only addresses the user knows. */
export function RecipientField({
  text,
  recipient,
  account,
  accounts,
  earlier = [],
  words,
  onInput,
  onContacts,
}: Props) {
  const id = useId()
  const nameOf = useNames()
  const failure = useMessage(recipient.kind === 'failed' ? recipient.error : undefined)
  const contacts = useContacts()
  const people = suggestRecipients({ contacts, accounts, earlier }, account, text)
  const fault =
    validateRecipient(recipient) ?? failure ?? (people.length > 0 ? undefined : faultOfWords(recipient))
  const isKnown = recipient.kind === 'known'
  return (
    <>
      <div class="field recipient">
        <span class="part-line">
          <label for={id}>{t('To')}</label>
          <button type="button" class="link small" onClick={onContacts}>
            {t('Contacts')}
          </button>
        </span>
        <input
          id={id}
          type="text"
          value={text}
          placeholder={t('Address, name or contact')}
          autocomplete="off"
          spellcheck={false}
          dir="auto"
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-line`}
          onFocus={(event) => event.currentTarget.select()}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
        <p id={`${id}-line`} class={fault === undefined ? 'line' : 'line line-bad'}>
          <span aria-live="polite">
            {fault ?? (recipient.kind === 'looking' ? t('Looking up {name}…', { name: text.trim() }) : '')}
          </span>
        </p>
      </div>
      {isKnown && (
        <div class="stack" aria-live="polite">
          <KnownRecipient
            address={recipient.address}
            name={nameOf(recipient.address)}
            ensName={recipient.name?.name}
          />
          <AddressWarnings words={[...(recipient.name ? formatFoundName(recipient.name) : []), ...words]} />
        </div>
      )}
      {!isKnown && people.length > 0 && (
        <ul class="panel group" aria-label={t('Suggested recipients')}>
          {people.map(({ address, name, what }) => (
            <li key={address}>
              <button type="button" class="list-row" onClick={() => onInput(address)}>
                <AddressLabel address={address} name={name} />
                <span class="dim small">{what}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function faultOfWords(recipient: Recipient): string | undefined {
  return recipient.kind === 'words' ? t('Enter a valid address, name or contact.') : undefined
}
