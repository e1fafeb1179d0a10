import * as v from 'valibot'
import { WalletError } from '../errors.ts'
import type { Area } from './storage/store.ts'

/** docs/security/keys.md. */
const free = 4

const maxWaitMs = 5 * 60_000

/** `at`: last failure, in milliseconds since 1970. */
type Failures = { count: number; at: number }

/**
 * Delays guesses: 1 s from the fifth wrong password, doubled each time. In `local`, so restarts do not reset
 * it. An unreadable count never locks out the owner.
 */
export function createUnlockThrottle(local: Area, now: () => number) {
  /**
   * Counted before the attempt, so stopping the worker does not help. Throws `too-many-tries` with `until`.
   */
  async function begin(): Promise<void> {
    const failures = await read()
    if (failures === undefined) return
    // If the clock was set back, restarts the wait.
    const at = Math.min(failures.at, now())
    const until = at + waitMs(failures.count)
    if (now() < until) {
      await write({ ...failures, at })
      throw new WalletError('too-many-tries', 'Too many wrong passwords.', { until: String(until) })
    }
    await write({ count: failures.count + 1, at: now() })
  }

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
  return failures <= free ? 0 : Math.min(1_000 * 2 ** (failures - free - 1), maxWaitMs)
}

const key = 'wrongPasswords'

const failuresShape = v.object({ count: v.number(), at: v.number() })
