import type { AccountState } from './account.ts'

/**
 * Told each state of the account in turn, reloads the page when the wallet is locked or forgotten, here or in another view: what was typed and
 * shown stays in a page's memory for as long as the page does. What counts is all that the page ever showed: between what is open and
 * the lock it may fail to reach the worker. A locked one stays until `emptyClipboard` could empty it of a secret: it answers false where the
 * browser refuses, and calls `later` once that was done. `reload` is told whether the wallet is no more.
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
    // A wallet whose phrase is not there yet may not come to be.
    hasShown ||= step === 'open' || (state.step === 'phrase' && state.phrase !== '')
    wasLocked ||= step === 'locked'
    const isForgotten = step === 'welcome' && (hasShown || wasLocked)
    const isLocked = step === 'locked' && hasShown
    if (!isForgotten && !isLocked) return
    // Where its code does not come, nothing was ever copied.
    if ((await emptyClipboard(leave).catch(() => true)) || isForgotten) leave()
  }
}
