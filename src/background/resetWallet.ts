import type { Vault } from '../vault/vault.ts'
import type { Approvals } from './approvals/approvals.ts'
import type { SettingsStore } from './settings.ts'
import type { StorageArea } from './storage.ts'

type Deps = {
  vault: Pick<Vault, 'reset'>
  local: Pick<StorageArea, 'clear'>
  settings: SettingsStore
  approvals: Pick<Approvals, 'rejectAll'>
  /** Caches of stored data. */
  remembering: { forget(): void }[]
}

/**
 * Creates the reset, which keeps only language and theme. Interrupted, it leaves the wallet whole or removed
 * (docs/security/keys.md).
 */
export function createResetWallet({ vault, local, settings, approvals, remembering }: Deps) {
  return async (): Promise<void> => {
    const { language, theme } = await settings.get()
    await vault.reset()
    for (const one of remembering) one.forget()
    // Removes what was written during the vault reset.
    await local.clear()
    // The wallet is removed even if this fails.
    await settings.update((fresh) => ({ ...fresh, language, theme })).catch(() => undefined)
    await approvals.rejectAll()
  }
}
