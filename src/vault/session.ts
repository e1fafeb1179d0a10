import * as v from 'valibot'
import { createQueue } from '../lib/async/queue.ts'
import type { Area } from './store.ts'

/** A clock this far behind the last time seen was set back, and a deadline by it means nothing. */
const clockToleranceMs = 60_000

/** All that the unlocked state is. Times in milliseconds since 1970. */
type Unlocked = { dataKey: string; deadline: number; seen: number }

/**
 * The unlocked state, in the browser's session storage: memory that outlives the worker and not the browser. Every look at it
 * compares the deadline, so no timer has to fire for the vault to be locked: the first who looks removes what is over, and `onOver` hears
 * of it.
 */
export function createSession(
  session: Area,
  now: () => number,
  autoLockMinutes: () => Promise<number>,
  onOver?: () => void,
) {
  const oneAtATime = createQueue()

  /** The data key while it may be used. */
  function dataKey(): Promise<string | undefined> {
    return oneAtATime(async () => (await current())?.dataKey)
  }

  function start(key: string): Promise<void> {
    return oneAtATime(async () => {
      await write({ dataKey: key, deadline: now() + (await lengthMs()), seen: now() })
    })
  }

  /** Somebody is there: the deadline moves. Does nothing when locked. */
  function extend(): Promise<void> {
    return oneAtATime(async () => {
      const state = await current()
      if (state) await write({ ...state, deadline: now() + (await lengthMs()), seen: latest(state) })
    })
  }

  /** Records the time, for the next look to see a clock that was set back. */
  function expire(): Promise<void> {
    return oneAtATime(async () => {
      const state = await current()
      if (state) await write({ ...state, seen: latest(state) })
    })
  }

  /** Brings the running deadline nearer when the length is shorter by now, and never pushes it out: only activity does that. */
  function shorten(): Promise<void> {
    return oneAtATime(async () => {
      const state = await current()
      if (state) await write({ ...state, deadline: Math.min(state.deadline, now() + (await lengthMs())) })
    })
  }

  function end(): Promise<void> {
    return oneAtATime(() => session.remove(gone))
  }

  /** The same, with whatever else stands there. */
  function clear(): Promise<void> {
    return oneAtATime(() => session.clear())
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
 * Records that are removed with it: the page's draft of a transfer (state/send/sendDraft.ts), those of its forms (state/unsavedEdits.ts), and the
 * change of the settings that waits for a permission (background/permittedChanges.ts).
 */
const gone = [stateKey, 'send', 'forms', 'change']

// 32 bytes in base64.
const stateShape = v.object({
  dataKey: v.pipe(v.string(), v.length(44)),
  deadline: v.number(),
  seen: v.number(),
})
