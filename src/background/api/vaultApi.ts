import { toWalletError } from '../../errors.ts'
import type { Status, VaultApi, WalletEvents } from '../../protocol.ts'
import type { Vault } from '../../vault/vault.ts'
import { address, parse } from '../schemas.ts'
import type { TransactionQueue } from '../transactions/queue.ts'
import { seedIdSchema } from './schemas.ts'

export type VaultApiDeps = {
  vault: Vault
  intents: Pick<TransactionQueue, 'resume'>
  events: Pick<WalletEvents, 'status'>
  readStatus(): Promise<Status>
  reset(): Promise<void>
  notify: Notifier
}

/** Wraps a vault method of an active user: extends the auto-lock and broadcasts the new status. */
export type Notifier = <Args extends unknown[], Result>(
  change: (...args: Args) => Promise<Result>,
) => (...args: Args) => Promise<Result>

export function createNotifier(
  vault: Vault,
  events: Pick<WalletEvents, 'status'>,
  readStatus: () => Promise<Status>,
): Notifier {
  return (change) =>
    async (...args) => {
      await vault.extend()
      const result = await change(...args)
      events.status(await readStatus())
      return result
    }
}

/** Creates the status query of the wallet: its vault's state, accounts and phrases. */
export function createStatusReader(vault: Vault): () => Promise<Status> {
  return async () => {
    const state = await vault.status()
    if (state !== 'unlocked') return { vault: state }
    try {
      const overview = await vault.overview()
      const backedUp = overview.seeds.every((seed) => seed.backedUp)
      const isRestored = await vault.isRestored()
      return { vault: 'unlocked', ...overview, backedUp, ...(isRestored && { isRestored }) }
    } catch (error) {
      // The auto-lock may strike between the reads.
      if (toWalletError(error).code === 'locked') return { vault: 'locked' }
      throw error
    }
  }
}

/** The vault parses its secrets and names itself. */
export function createVaultApi({
  vault,
  intents,
  events,
  readStatus,
  reset,
  notify,
}: VaultApiDeps): VaultApi {
  const unlock = notify(vault.unlock)
  return {
    status: readStatus,
    wrappedKey: vault.passwordWrap,
    create: notify(vault.create),
    importPhrase: notify(vault.importPhrase),
    importKey: notify(vault.importKey),
    importWatchOnly: notify(vault.importWatched),
    async unlock(dataKey) {
      await unlock(dataKey)
      await intents.resume()
    },
    changeWrappedKey: vault.rewrap,
    // Works with unreadable settings and an unreadable vault.
    async lock() {
      await vault.lock()
      events.status({ vault: 'locked' })
    },
    reset: notify(reset),
    reveal: async (dataKey, seed) => vault.reveal(dataKey, parse(seedIdSchema, seed, 'phrase')),
    revealKey: async (dataKey, account) => vault.revealKey(dataKey, parse(address, account, 'account')),
    confirmBackup: notify(async (seed) => vault.confirmBackup(parse(seedIdSchema, seed, 'phrase'))),
    confirmRestored: notify(vault.confirmRestored),
  }
}
