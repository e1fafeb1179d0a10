import { useCallback } from 'preact/hooks'
import type { Contact } from '../../../domain/address/contact.ts'
import type { Address } from '../../../domain/token/token.ts'
import type { OwnAccount } from '../../../protocol.ts'
import { accountName } from '../../format/accountName.ts'
import { showInvisible } from '../../format/address.ts'
import { useStore, useStores } from './useStore.ts'

export function useContacts(): Contact[] {
  return useStore(useStores().settings, ({ settings }) => settings?.contacts ?? nobody)
}

/** Returns a lookup of account and contact names. Its identity changes with the names. */
export function useNames(): (address: Address) => string | undefined {
  const contacts = useContacts()
  const owned = useStore(useStores().account, (state) => (state.step === 'open' ? state.owned : none))
  return useCallback(
    (address) => {
      const own = owned.find((one) => one.address === address)
      if (own !== undefined) return accountName(own)
      const name = contacts.find((one) => one.address === address)?.name
      return name && showInvisible(name)
    },
    [contacts, owned],
  )
}

const nobody: Contact[] = []
const none: OwnAccount[] = []
