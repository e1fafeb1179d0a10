import type { Vault } from '../vault/vault.ts'
import type { Approvals } from './approvals/approvals.ts'
import type { SettingsStore } from './settings.ts'
import type { StorageArea } from './storage.ts'

type Deps = {
  vault: Pick<Vault, 'reset'>
  local: Pick<StorageArea, 'clear'>
  settings: SettingsStore
  approvals: Pick<Approvals, 'rejectAll'>
  /** All that knows what storage held. */
  remembering: { forget(): void }[]
}

/**
 * Leaves the browser as freshly installed, but for language and theme: they hold no secret, and the user is looking at them. Stopped at
 * any moment it leaves the wallet whole, or nothing of it (docs/security.md, the vault).
 */
export function createReset({ vault, local, settings, approvals, remembering }: Deps) {
  return async (): Promise<void> => {
    const { language, theme } = await settings.get()
    await vault.reset()
    for (const one of remembering) one.forget()
    // What was on its way to the disk meanwhile. From here on nobody knows what it would belong to.
    await local.clear()
    // A disk that takes nothing is no reason to say that the wallet is still there.
    await settings.update((fresh) => ({ ...fresh, language, theme })).catch(() => undefined)
    await approvals.rejectAll()
  }
}
