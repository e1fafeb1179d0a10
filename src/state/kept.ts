import { createStore } from 'zustand/vanilla'

/** By the name of a field what was typed into it. */
type Edits = Record<string, unknown>

/** What is typed and not saved yet, under the name of what it is of. It lives as long as the view, not only its page. */
export function createKept() {
  const store = createStore<Record<string, Edits>>()(() => ({}))
  return {
    ...store,

    edit(name: string, edits: Edits): void {
      store.setState((all) => ({ [name]: { ...all[name], ...edits } }))
    },

    /** Forgets what was saved. What was typed anew since stays. */
    drop(name: string, saved: Edits): void {
      const left = Object.entries(store.getState()[name] ?? {}).filter(
        ([field, value]) => saved[field] !== value,
      )
      store.setState({ [name]: Object.fromEntries(left) })
    },

    /** A service's key may be among it: nothing of it outlives the lock. */
    lock(): void {
      store.setState({}, true)
    },
  }
}
