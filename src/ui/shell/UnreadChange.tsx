import { useEffect } from 'preact/hooks'
import { createUnreadChange } from '../../state/unreadChange.ts'
import { useStore, useStores } from '../hooks/useStore.ts'
import { lazy } from '../lazy.tsx'

const ChangeToast = lazy(() => import('./ChangeToast.tsx').then(({ ChangeToast }) => ChangeToast))

/** Reports a change whose popup a permission prompt closed. */
export function UnreadChange() {
  const stores = useStores()
  const unread = stores.get(createUnreadChange)
  const change = useStore(unread, (state) => state.change)
  const settings = useStore(stores.settings, (state) => state.settings)
  const isWaiting = change !== undefined && change.outcome === undefined
  useEffect(() => void unread.load(), [unread])
  // A granted permission changes the settings.
  useEffect(() => {
    if (isWaiting) unread.load()
  }, [settings])
  return change && <ChangeToast change={change} onClose={unread.close} />
}
