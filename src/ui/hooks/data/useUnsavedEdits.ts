import { createUnsavedEdits } from '../../../state/drafts/unsavedEdits.ts'
import { useStore, useStores } from './useStore.ts'

/** Draft under `name`. It survives a closed popup (state/drafts/unsavedEdits.ts). */
export function useUnsavedEdits<Edits extends object>(name: string) {
  const kept = useStores().get(createUnsavedEdits)
  return {
    edits: (useStore(kept, (all) => all[name]) ?? {}) as Partial<Edits>,
    edit: (more: Partial<Edits>) => kept.edit(name, { ...more }),
    /** Drops saved edits. */
    drop: (saved: Partial<Edits>) => kept.drop(name, { ...saved }),
  }
}
