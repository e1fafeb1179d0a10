import * as v from 'valibot'
import { createMutex } from '../../lib/async/mutex.ts'
import type { Area } from './store.ts'

/** A clock set back invalidates the deadline. */
const clockToleranceMs = 60_000

/** Milliseconds since 1970. */
type Unlocked = { dataKey: string; deadline: number; seen: number }

/**
 * Keeps the unlocked state in session storage: memory that outlives the worker, not the browser. Every access
 * checks the deadline, so no timer is needed.
 */
export function createSession(
  session: Area,
  now: () => number,
  autoLockMinutes: () => Promise<number>,
  onOver?: () => void,
) {
  const runExclusive = createMutex()

  function dataKey(): Promise<string | undefined> {
    return runExclusive(async () => (await current())?.dataKey)
  }

  function start(key: string): Promise<void> {
    return runExclusive(async () => {
      await write({ dataKey: key, deadline: now() + (await lengthMs()), seen: now() })
    })
  }

  function extend(): Promise<void> {
    return runExclusive(async () => {
      const state = await current()
      if (state) await write({ ...state, deadline: now() + (await lengthMs()), seen: latest(state) })
    })
  }

  /** Detects a clock set back. */
  function expire(): Promise<void> {
    return runExclusive(async () => {
      const state = await current()
      if (state) await write({ ...state, seen: latest(state) })
    })
  }

  /** Only activity extends the deadline. */
  function shorten(): Promise<void> {
    return runExclusive(async () => {
      const state = await current()
      if (state) await write({ ...state, deadline: Math.min(state.deadline, now() + (await lengthMs())) })
    })
  }

  function end(): Promise<void> {
    return runExclusive(() => session.remove(gone))
  }

  function clear(): Promise<void> {
    return runExclusive(() => session.clear())
  }

  async function current(): Promise<Unlocked | undefined> {
    const state = await read()
    if (state && (now() >= state.deadline || now() < state.seen - clockToleranceMs)) {
      await session.remove(gone)
      onOver?.()
      return undefined
    }
    return state
  }

  function latest(state: Unlocked): number {
    return Math.max(state.seen, now())
  }

  async function read(): Promise<Unlocked | undefined> {
    const stored = await session.get(stateKey)
    return v.is(stateShape, stored) ? stored : undefined
  }

  function write(state: Unlocked): Promise<void> {
    return session.set({ [stateKey]: state })
  }

  async function lengthMs(): Promise<number> {
    return (await autoLockMinutes()) * 60_000
  }

  return { dataKey, start, extend, expire, shorten, end, clear }
}

const stateKey = 'unlocked'
/**
 * Removed on lock: also transfer draft (state/send/sendDraft.ts), form drafts (state/drafts/unsavedEdits.ts),
 * pending settings change (background/permittedChanges.ts), last known balances
 * (state/portfolio/lastKnown.ts).
 */
const gone = [stateKey, 'send', 'forms', 'change', 'holdings']

const stateShape = v.object({
  dataKey: v.pipe(v.string(), v.length(44)),
  deadline: v.number(),
  seen: v.number(),
})
