import { createContext } from 'preact'
import { useContext, useLayoutEffect, useReducer, useRef } from 'preact/hooks'
import type { Stores } from '../../../state/stores.ts'

type Readable<State> = {
  getState(): State
  subscribe(listener: () => void): () => void
}

/** Selects from a store and rerenders on changes. */
export function useStore<State, Picked>(store: Readable<State>, pick: (state: State) => Picked): Picked {
  const [, draw] = useReducer<number, void>((count) => count + 1, 0)
  const picked = pick(store.getState())
  const latest = useRef({ pick, picked })
  latest.current = { pick, picked }
  useLayoutEffect(() => {
    const compare = () => {
      if (!Object.is(latest.current.pick(store.getState()), latest.current.picked)) draw()
    }
    compare()
    return store.subscribe(compare)
  }, [store])
  return picked
}

const StoresContext = createContext<Stores | undefined>(undefined)
export const StoresProvider = StoresContext.Provider

export function useStores(): Stores {
  const stores = useContext(StoresContext)
  if (stores === undefined) throw new Error('Outside of StoresProvider.')
  return stores
}
