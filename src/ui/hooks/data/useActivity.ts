import { useEffect } from 'preact/hooks'
import type { ActivityState } from '../../../state/activity/activity.ts'
import { useStore, useStores } from './useStore.ts'

/** Selects from the activity, kept fresh while mounted. */
export function useActivity<Picked>(pick: (state: ActivityState) => Picked): Picked {
  const { activity } = useStores()
  useEffect(() => activity.watch(), [activity])
  return useStore(activity, pick)
}
