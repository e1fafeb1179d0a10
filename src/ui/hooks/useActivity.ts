import { useEffect } from 'preact/hooks'
import type { ActivityState } from '../../state/activity/activity.ts'
import { useStore, useStores } from './useStore.ts'

/** What `pick` takes from all that was ever sent, which is kept fresh while the caller is on the screen. */
export function useActivity<Picked>(pick: (state: ActivityState) => Picked): Picked {
  const { activity } = useStores()
  useEffect(() => activity.watch(), [activity])
  return useStore(activity, pick)
}
