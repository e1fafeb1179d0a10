import * as v from 'valibot'
import { WalletError } from '../errors.ts'
import { createQueue } from './queue.ts'
import type { Area } from './store.ts'

/** Minutes without user activity after which the vault locks: the default, and what the user may choose. */
const autoLock = { default: 15, least: 1, most: 60 }

/** A clock this far behind the last time seen was set back, and a deadline by it means nothing. */
const clockToleranceMs = 60_000

/** All that the unlocked state is. Times in milliseconds since 1970. */
type Unlocked = { dataKey: string; deadline: number; seen: number }

/**
 * The unlocked state, in the browser's session storage: memory that outlives the worker and not the browser. Every look at it
 * compares the deadline, so no timer has to fire for the vault to be locked.
 */
export function createSession(session: Area, local: Area, now: () => number) {
  const oneAtATime = createQueue()

  /** The data key while it may be used; an unlocked state past its deadline is removed by the first who looks. */
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

  /** Records the time, for the next look to see a clock that was set back. True when this look locked the vault. */
  function expire(): Promise<boolean> {
    return oneAtATime(async () => {
      const before = await read()
      const state = await current()
      if (state) await write({ ...state, seen: latest(state) })
      return before !== undefined && state === undefined
    })
  }

  /**
   * Whole minutes, 1 to 60; else a WalletError `invalid-input`. Brings the running deadline nearer when it is shorter, and never
   * pushes it out: only activity does that.
   */
  function setMinutes(minutes: number): Promise<void> {
    return oneAtATime(async () => {
      if (!v.safeParse(minutesShape, minutes).success) {
        const { least, most } = autoLock
        throw new WalletError(
          'invalid-input',
          `The vault locks itself after ${least} to ${most} whole minutes.`,
        )
      }
      const state = await current()
      await guard('write', local.set({ [minutesKey]: minutes }))
      if (state) await write({ ...state, deadline: Math.min(state.deadline, now() + minutes * 60_000) })
    })
  }

  function end(): Promise<void> {
    return oneAtATime(() => guard('write', session.remove([stateKey])))
  }

  async function current(): Promise<Unlocked | undefined> {
    const state = await read()
    if (state === undefined) return undefined
    if (now() < state.deadline && now() >= state.seen - clockToleranceMs) return state
    await guard('write', session.remove([stateKey]))
    return undefined
  }

  function latest(state: Unlocked): number {
    return Math.max(state.seen, now())
  }

  async function read(): Promise<Unlocked | undefined> {
    const stored = await guard('read', session.get(stateKey))
    return v.is(stateShape, stored) ? stored : undefined
  }

  function write(state: Unlocked): Promise<void> {
    return guard('write', session.set({ [stateKey]: state }))
  }

  async function lengthMs(): Promise<number> {
    const stored = await guard('read', local.get(minutesKey))
    return (v.is(minutesShape, stored) ? stored : autoLock.default) * 60_000
  }

  return { dataKey, start, extend, expire, setMinutes, end }
}

const stateKey = 'unlocked'
const minutesKey = 'autoLock'

const stateShape = v.object({ dataKey: v.string(), deadline: v.number(), seen: v.number() })
const minutesShape = v.pipe(
  v.number(),
  v.safeInteger(),
  v.minValue(autoLock.least),
  v.maxValue(autoLock.most),
)

async function guard<T>(action: 'read' | 'write', work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw new WalletError('storage-failed', `The browser could not ${action} the session.`, {}, { cause })
  }
}
