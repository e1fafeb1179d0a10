import * as v from 'valibot'
import { WalletError } from '../errors.ts'
import type { Area } from './store.ts'

/** So many wrong passwords cost nothing but the work of trying them (docs/security.md). */
const free = 4

const longestWaitMs = 5 * 60_000

/** `at`: when the last one failed, in milliseconds since 1970. */
type Failures = { count: number; at: number }

/**
 * Slows down who guesses: from the fifth wrong password in a row on there is a wait before the next, of one second at first and twice
 * as long each time. It is kept in `local`, so neither the worker's end nor the browser's shortens it. A count that cannot be read or
 * written keeps no owner out.
 */
export function createAttempts(local: Area, now: () => number) {
  /**
   * To be called before a key is tried: it counts as wrong until `forget`, so that a worker that is stopped in between forgets
   * none. Throws `too-many-tries` while it has to wait, with the time it may be tried again as the fact `until`.
   */
  async function begin(): Promise<void> {
    const failures = await read()
    // What is there is not written over.
    if (failures === undefined) return
    // A clock set back does not tell how much of the wait is over: it begins again, and lasts no longer than it is.
    const at = Math.min(failures.at, now())
    const until = at + waitMs(failures.count)
    if (now() < until) {
      await write({ ...failures, at })
      throw new WalletError('too-many-tries', 'Too many wrong passwords.', { until: String(until) })
    }
    await write({ count: failures.count + 1, at: now() })
  }

  /** The password is known after all. */
  async function forget(): Promise<void> {
    await local.remove([key]).catch(() => undefined)
  }

  async function read(): Promise<Failures | undefined> {
    try {
      const stored = await local.get(key)
      return v.is(failuresShape, stored) ? stored : { count: 0, at: 0 }
    } catch {
      return undefined
    }
  }

  async function write(failures: Failures): Promise<void> {
    await local.set({ [key]: failures }).catch(() => undefined)
  }

  return { begin, forget }
}

function waitMs(failures: number): number {
  return failures <= free ? 0 : Math.min(1_000 * 2 ** (failures - free - 1), longestWaitMs)
}

const key = 'wrongPasswords'

const failuresShape = v.object({ count: v.number(), at: v.number() })
