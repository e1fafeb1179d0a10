import * as v from 'valibot'
import { parseOrUndefined } from '../../domain/parseOrUndefined.ts'
import type { StorageArea } from '../storage.ts'

/** Blocks origins after repeated rejections. */
export type SpamFilter = {
  /** For a minute after the fourth rejection in 30 seconds. */
  isBlocked(origin: string): Promise<boolean>
  /** Counts once per origin. */
  rejected(origins: string[]): Promise<void>
}

const maxRejections = 4
const withinMs = 30_000
const blockedForMs = 60_000

const key = 'rejections'

/** `session` survives a stop of the worker. */
export function createSpamFilter(session: StorageArea, now: () => number): SpamFilter {
  /** Ignores future times after a clock change. */
  async function recent(): Promise<Rejection[]> {
    const known = parseOrUndefined(shape, await session.get(key)) ?? []
    return known.filter(({ at }) => at <= now() && now() - at < withinMs + blockedForMs)
  }

  return {
    async isBlocked(origin) {
      const times = (await recent()).filter((one) => one.origin === origin).map(({ at }) => at)
      return times.some((last, index) => {
        const first = times[index - maxRejections + 1]
        return first !== undefined && last - first <= withinMs && now() - last < blockedForMs
      })
    },
    async rejected(origins) {
      const added = [...new Set(origins)].map((origin) => ({ origin, at: now() }))
      await session.set({ [key]: [...(await recent()), ...added] })
    },
  }
}

type Rejection = { origin: string; at: number }

const shape: v.GenericSchema<unknown, Rejection[]> = v.array(v.object({ origin: v.string(), at: v.number() }))
