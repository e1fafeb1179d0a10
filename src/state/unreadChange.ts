import { createStore } from 'zustand/vanilla'
import type { UnreadChange } from '../domain/network/permittedChange.ts'
import type { SettingsApi } from '../protocol.ts'

/** The change of the settings whose outcome no view has shown: the browser's question closed the popup that asked it. */
export function createUnreadChange(
  wallet: Pick<SettingsApi, 'getUnreadChange' | 'applyPendingChange' | 'discardPendingChange'>,
) {
  const store = createStore<{ change: UnreadChange | undefined }>()(() => ({ change: undefined }))

  async function read(): Promise<UnreadChange | undefined> {
    const change = await wallet.getUnreadChange().catch(() => undefined)
    store.setState({ change })
    return change
  }

  return {
    ...store,

    /** A change that is under way is waited for. */
    async load(): Promise<void> {
      const change = await read()
      if (change === undefined || change.outcome !== undefined || !change.isPermitted) return
      // The worker keeps the error, too.
      await wallet.applyPendingChange(change.id).catch(() => undefined)
      await read()
    },

    /** The user has read it. */
    async close(): Promise<void> {
      const { change } = store.getState()
      store.setState({ change: undefined })
      if (change !== undefined) await wallet.discardPendingChange(change.id).catch(() => undefined)
    },
  }
}
