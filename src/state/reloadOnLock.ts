import type { AccountState } from './account.ts'

/**
 * Returns a listener that reloads the page when the wallet is locked or deleted, since page memory keeps
 * typed and shown secrets. Counts everything shown so far, because the worker may be unreachable in between.
 * On lock it first waits for `emptyClipboard`, which returns false when the browser refuses and calls `later`
 * once done.
 */
export function createReloadOnLock(
  emptyClipboard: (later: () => void) => Promise<boolean>,
  reload: (isForgotten: boolean) => void,
) {
  let step: AccountState['step']
  let hasShown = false
  let wasLocked = false
  const leave = () => {
    if (step !== 'open') reload(step === 'welcome')
  }
  return async (state: AccountState): Promise<void> => {
    step = state.step
    // Until the phrase is known, the vault may not exist.
    hasShown ||= step === 'open' || (state.step === 'phrase' && state.phrase !== '')
    wasLocked ||= step === 'locked'
    const isForgotten = step === 'welcome' && (hasShown || wasLocked)
    const isLocked = step === 'locked' && hasShown
    if (!isForgotten && !isLocked) return
    // If its code fails to load, nothing was copied.
    if ((await emptyClipboard(leave).catch(() => true)) || isForgotten) leave()
  }
}
