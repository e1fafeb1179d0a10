import {
  type KnownAddresses,
  type RecipientFacts,
  recipientWarnings,
} from '../../domain/address/recipientWarnings.ts'
import type { Address, Token } from '../../domain/token/token.ts'
import { useContacts, useNames } from '../hooks/data/useContacts.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { formatRecipientWarning, type RecipientNotice } from './recipient.ts'

type Facts = Pick<RecipientFacts, 'isContract'> & Pick<KnownAddresses, 'earlier'>

type RecipientQuery = { to: Address; token: Token; account: Address; facts: Facts }

export function useRecipientWords(asked: RecipientQuery | undefined): RecipientNotice[] {
  const contacts = useContacts()
  const nameOf = useNames()
  const owned = useStore(useStores().account, (state) => (state.step === 'open' ? state.owned : undefined))
  if (asked === undefined) return []
  const { to, token, account, facts } = asked
  const notes = recipientWarnings(
    to,
    { token: token.address, isContract: facts.isContract },
    {
      earlier: facts.earlier,
      own: owned?.map(({ address }) => address) ?? [],
      contacts: contacts.map(({ address }) => address),
    },
  )
  return notes.map((note) => formatRecipientWarning(note, { token, account, to, nameOf }))
}
