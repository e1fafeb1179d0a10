import { createKept } from '../../../state/kept.ts'
import { use, useStores } from '../../hooks/use.ts'

/** What is typed and not saved yet: whoever leaves the page and comes back finds it there. `name` says what it is of. */
export function useKept<Edits extends object>(name: string) {
  const kept = useStores().get(createKept)
  return {
    edits: (use(kept, (all) => all[name]) ?? {}) as Partial<Edits>,
    edit: (more: Partial<Edits>) => kept.edit(name, { ...more }),
    /** To be called with what was saved. */
    drop: (saved: Partial<Edits>) => kept.drop(name, { ...saved }),
  }
}
