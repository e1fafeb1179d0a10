import { type KnownAddresses, paidBy } from '../../domain/address/recipientWarnings.ts'
import type { Vault } from '../../vault/vault.ts'
import type { SettingsStore } from '../settings.ts'
import type { TransactionQueue } from '../transactions/queue.ts'

type Deps = {
  vault: Pick<Vault, 'overview'>
  settings: Pick<SettingsStore, 'get'>
  intents: Pick<TransactionQueue, 'list' | 'sendings'>
}

/** Reads own accounts, contacts, and earlier recipients. */
export function createRecipientFacts({ vault, settings, intents }: Deps) {
  return async (): Promise<KnownAddresses> => {
    const [{ accounts }, { contacts }, ...done] = await Promise.all([
      vault.overview(),
      settings.get(),
      intents.sendings(),
      intents.list(),
    ])
    return {
      own: accounts.map(({ address }) => address),
      contacts: contacts.map(({ address }) => address),
      earlier: paidBy(done.flat()),
    }
  }
}
