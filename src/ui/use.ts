import { createContext } from 'preact'
import { useContext, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'
import { toWalletError, type WalletError } from '../errors.ts'
import type { Stores } from '../state/stores.ts'

type Readable<State> = {
  getState(): State
  subscribe(listener: () => void): () => void
}

/** What `pick` takes from a store, drawn again when that changes. */
export function use<State, Picked>(store: Readable<State>, pick: (state: State) => Picked): Picked {
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
  if (stores === undefined) throw new Error('A component that uses stores stands outside of their provider.')
  return stores
}

export type Task<Args extends unknown[]> = {
  run(...args: Args): void
  isRunning: boolean
  error: WalletError | undefined
  /** The error was answered by something else. */
  forget(): void
}

/** Something that takes a while and may fail, started by a control: one run at a time. */
export function useTask<Args extends unknown[]>(work: (...args: Args) => Promise<unknown>): Task<Args> {
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<WalletError | undefined>(undefined)
  const busy = useRef(false)
  return {
    isRunning,
    error,
    forget: () => setError(undefined),
    run(...args) {
      if (busy.current) return
      busy.current = true
      setRunning(true)
      setError(undefined)
      work(...args)
        .catch((cause: unknown) => setError(toWalletError(cause)))
        .finally(() => {
          busy.current = false
          setRunning(false)
        })
    },
  }
}

/** The stores' time, drawn every `everyMs` at the least: never one of an earlier drawing, from which a countdown would jump. */
export function useNow(everyMs: number): number {
  const [, draw] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => draw((times) => times + 1), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return performance.now()
}

/** Long enough to see that the screen changed. */
const settleMs = 700

/**
 * False until what stands on the screen has stood there for a moment, and again after `content` or the window's focus changed: a
 * click that was meant for what was there before goes nowhere.
 */
export function useSettled(content: unknown): boolean {
  const [settled, setSettled] = useState(false)
  // A change of content starts the wait anew, before it is painted.
  useLayoutEffect(() => {
    let timer = 0
    const wait = () => {
      clearTimeout(timer)
      setSettled(false)
      timer = window.setTimeout(() => setSettled(true), settleMs)
    }
    wait()
    window.addEventListener('focus', wait)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('focus', wait)
    }
  }, [content])
  return settled
}
