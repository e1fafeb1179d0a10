import type { Vault } from '../vault/vault.ts'

type Deps = {
  vault: Pick<Vault, 'status'>
  openTab(hash: string): Promise<unknown>
}

/** Opens onboarding in a tab after installation, which unlike the popup stays open on blur. */
export function createOnboardingTab({ vault, openTab }: Deps) {
  return async ({ reason }: { reason: string }): Promise<void> => {
    // A reinstalled unpacked extension keeps its wallet.
    if (reason !== 'install' || (await vault.status()) !== 'none') return
    await openTab('#/begin')
  }
}
