import { builtInNetworks } from '../../config.ts'
import { changeSettings, type SettingsChanges } from '../../domain/network/network.ts'
import { WalletError } from '../../errors.ts'
import type { SettingsApi } from '../../protocol.ts'
import type { Vault } from '../../vault/vault.ts'
import type { PermittedChanges } from '../permittedChanges.ts'
import { intentId, parse } from '../schemas.ts'
import type { SettingsStore } from '../settings.ts'
import type { DraftStore } from '../swap/draft.ts'
import type { TransactionQueue } from '../transactions/queue.ts'
import { settingsChangesSchema } from './schemas.ts'

export type SettingsApiDeps = {
  vault: Pick<Vault, 'extend'>
  settings: SettingsStore
  drafts: DraftStore
  changes: PermittedChanges
  intents: Pick<TransactionQueue, 'openChains'>
}

export function createSettingsApi({
  vault,
  settings,
  drafts,
  changes,
  intents,
}: SettingsApiDeps): SettingsApi {
  return {
    settings: () => settings.get(),
    async saveSettings(value) {
      const edits = parse(settingsChangesSchema, value, 'settings') as SettingsChanges
      const busy = await intents.openChains()
      await settings.update((before) => {
        const after = changeSettings(before, edits)
        requireRemovable(edits.removed ?? [], after.chainId, busy)
        return after
      })
    },
    savePendingChange: changes.keep,
    applyPendingChange: async (id) => changes.carryOut(parse(intentId, id, 'change')),
    discardPendingChange: async (id) => changes.drop(parse(intentId, id, 'change')),
    getUnreadChange: changes.unread,
    draft: async () => drafts.get((await settings.get()).chainId),
    async saveDraft(draft) {
      await vault.extend()
      await drafts.save(draft)
    },
  }
}

/** Throws `network-needed` if a removed chain is selected, built in or `busy`. */
function requireRemovable(removed: number[], chosen: number, busy: number[]): void {
  for (const chainId of removed) {
    const why =
      (chainId === chosen && 'chosen') ||
      (busy.includes(chainId) && 'busy') ||
      (builtInNetworks().some((network) => network.chainId === chainId) && 'built-in')
    if (why) throw new WalletError('network-needed', 'The network has to stay.', { why })
  }
}
