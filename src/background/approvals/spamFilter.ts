import * as v from 'valibot'
import { parseOrUndefined } from '../../domain/readAs.ts'
import type { StorageArea } from '../storage.ts'

/** Who asks again and again for what the user does not want is not heard for a while. */
export type Throttle = {
  /** True for a minute after the fourth rejection within half a minute. */
  isBlocked(origin: string): Promise<boolean>
  /** The user rejected what these origins asked: once for each, however much was asked. */
  rejected(origins: string[]): Promise<void>
}

const mostRejections = 4
const withinMs = 30_000
const blockedForMs = 60_000

const key = 'rejections'

/** Kept in `session`: stopping the worker must not be a way around it. */
export function createThrottle(session: StorageArea, now: () => number): Throttle {
  /** The recent ones, the oldest first. What a clock that was set back left in the future counts no more. */
  async function recent(): Promise<Rejection[]> {
    const known = parseOrUndefined(shape, await session.get(key)) ?? []
    return known.filter(({ at }) => at <= now() && now() - at < withinMs + blockedForMs)
  }

  return {
    async isBlocked(origin) {
      const times = (await recent()).filter((one) => one.origin === origin).map(({ at }) => at)
      return times.some((last, index) => {
        const first = times[index - mostRejections + 1]
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
