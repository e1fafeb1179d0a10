import { useEffect } from 'preact/hooks'
import { createUnreadChange } from '../../state/unreadChange.ts'
import { useStore, useStores } from '../hooks/useStore.ts'
import { lazy } from '../lazy.tsx'

const ChangeToast = lazy(() => import('./ChangeToast.tsx').then(({ ChangeToast }) => ChangeToast))

/** Tells how a change ended whose popup was closed by the browser's question. */
export function UnreadChange() {
  const stores = useStores()
  const unread = stores.get(createUnreadChange)
  const change = useStore(unread, (state) => state.change)
  const settings = useStore(stores.settings, (state) => state.settings)
  const isWaiting = change !== undefined && change.outcome === undefined
  useEffect(() => void unread.load(), [unread])
  // The prompt may still be open: the permission comes with new settings.
  useEffect(() => {
    if (isWaiting) unread.load()
  }, [settings])
  return change && <ChangeToast change={change} onClose={unread.close} />
}
