import { createStore } from 'zustand/vanilla'
import type { UnreadChange } from '../../domain/network/permittedChange.ts'
import type { SettingsApi } from '../../protocol.ts'

/** Stores a settings change whose view closed before its result. */
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

    /** Waits for a running change. */
    async load(): Promise<void> {
      const change = await read()
      if (change === undefined || change.outcome !== undefined || !change.isPermitted) return
      // The worker stores the error.
      await wallet.applyPendingChange(change.id).catch(() => undefined)
      await read()
    },

    async close(): Promise<void> {
      const { change } = store.getState()
      store.setState({ change: undefined })
      if (change !== undefined) await wallet.discardPendingChange(change.id).catch(() => undefined)
    },
  }
}
