import { createUnsavedEdits } from '../../state/unsavedEdits.ts'
import { useStore, useStores } from './useStore.ts'

/** Draft stored under `name`. It survives a closed page or popup (state/unsavedEdits.ts). */
export function useUnsavedEdits<Edits extends object>(name: string) {
  const kept = useStores().get(createUnsavedEdits)
  return {
    edits: (useStore(kept, (all) => all[name]) ?? {}) as Partial<Edits>,
    edit: (more: Partial<Edits>) => kept.edit(name, { ...more }),
    /** Drops the edits that were saved. */
    drop: (saved: Partial<Edits>) => kept.drop(name, { ...saved }),
  }
}
