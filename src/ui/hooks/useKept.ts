import { createUnsavedEdits } from '../../state/unsavedEdits.ts'
import { useStore, useStores } from './useStore.ts'

/** The draft called `name`: it is there again after the page was left, or the popup closed (state/unsavedEdits.ts). */
export function useUnsavedEdits<Edits extends object>(name: string) {
  const kept = useStores().get(createUnsavedEdits)
  return {
    edits: (useStore(kept, (all) => all[name]) ?? {}) as Partial<Edits>,
    edit: (more: Partial<Edits>) => kept.edit(name, { ...more }),
    /** To be called with what was saved. */
    drop: (saved: Partial<Edits>) => kept.drop(name, { ...saved }),
  }
}
