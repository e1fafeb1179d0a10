import type { Contact } from '../../domain/address/contact.ts'
import { recipientWarnings } from '../../domain/address/recipientWarnings.ts'
import { toSkeleton } from '../../domain/token/lookalike.ts'
import { zeroAddress } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { accountName } from '../format/accountName.ts'
import { showInvisible } from '../format/address.ts'
import { useNames } from '../hooks/data/useContacts.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { formatRecipientWarning, type RecipientNotice } from '../messages/recipient.ts'
import { AddressWarnings } from './AddressWarnings.tsx'

type Props = { contact: Pick<Contact, 'address' | 'name'>; contacts: Contact[] }

/** Warns if the address or name resembles a known one. */
export function ContactWarnings({ contact: { address: to, name }, contacts }: Props) {
  const nameOf = useNames()
  const owned =
    useStore(useStores().account, (state) => (state.step === 'open' ? state.owned : undefined)) ?? []
  const own = owned.map((one) => ({ address: one.address, name: accountName(one) }))
  const others = contacts.filter(({ address }) => address !== to)
  const notes = recipientWarnings(
    to,
    { token: zeroAddress, isContract: false },
    {
      earlier: [],
      own: own.map(({ address }) => address),
      contacts: others.map(({ address }) => address),
    },
  ).filter(({ kind }) => kind === 'look-alike' || kind === 'own')
  const asked = { token: { symbol: '', address: zeroAddress }, account: zeroAddress, to, nameOf }
  const namesake = [...own, ...others].find(
    (one) => one.address !== to && toSkeleton(one.name) === toSkeleton(name),
  )
  const words: RecipientNotice[] = notes.map((note) => formatRecipientWarning(note, asked))
  if (namesake && name.trim() !== '') {
    words.push({
      tone: 'warn',
      words: t('Another address is already named {name}.', { name: showInvisible(namesake.name) }),
    })
  }
  return <AddressWarnings words={words} />
}
