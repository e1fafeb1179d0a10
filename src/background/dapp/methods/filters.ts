import * as v from 'valibot'
import { parseOrUndefined } from '../../../domain/parseOrUndefined.ts'
import { WalletError } from '../../../errors.ts'
import { cached } from '../../../lib/async/cached.ts'
import { createMutex } from '../../../lib/async/mutex.ts'
import type { StorageArea } from '../../storage.ts'

/** `isPending`: reports pending transactions. */
export type Filter = { origin: string; chainId: number; id: string; isPending: boolean; usedAt: number }

/** Filters by site. RPCs serve any known id, and ids can be guessed. */
export type Filters = {
  /** Returns the evicted filters. */
  add(filter: Omit<Filter, 'usedAt'>): Promise<Filter[]>
  /** Marks the filter used. Throws `node-answered`, as RPCs do. */
  require(origin: string, chainId: number, id: unknown): Promise<Filter>
  remove(filter: Filter): Promise<void>
}

type Deps = { session: StorageArea; now?(): number }

const key = 'filters'
const maxPerOrigin = 20
const maxFilters = 200
/** Geth drops filters after this. */
const idleMs = 5 * 60_000
const saveEveryMs = 60_000

/** Keeps filters in session storage, which outlives the worker. */
export function createFilters({ session, now = Date.now }: Deps): Filters {
  const mutex = createMutex()
  const all = cached(async () => parseOrUndefined(v.array(filterSchema), await session.get(key)) ?? [])

  // If filters are lost, sites create others.
  async function save(filters: Filter[]): Promise<void> {
    all.set(filters)
    await session.set({ [key]: filters }).catch(() => undefined)
  }

  return {
    add: (added) =>
      mutex(async () => {
        const usedAt = now()
        const before = await all.get()
        // RPCs may repeat an id; the newer filter counts.
        const others = before.filter((one) => usedAt - one.usedAt < idleMs && !isOf(one, added))
        const kept = withinLimits([...others, { ...added, usedAt }], added.origin)
        await save(kept)
        return before.filter((one) => !kept.includes(one) && !isOf(one, added))
      }),
    async require(origin, chainId, id) {
      const found = (await all.get()).find((one) => one.origin === origin && isOf(one, { chainId, id }))
      if (found === undefined) throw notFound()
      const isStale = now() - found.usedAt > saveEveryMs
      found.usedAt = now()
      if (isStale) await mutex(async () => save(await all.get()))
      return found
    },
    remove: (filter) => mutex(async () => save((await all.get()).filter((one) => one !== filter))),
  }
}

function isOf(filter: Filter, { chainId, id }: { chainId: number; id: unknown }): boolean {
  return filter.chainId === chainId && filter.id === id
}

/** Evicts the least recently used filter of `origin`, or of the largest site. */
function withinLimits(filters: Filter[], origin: string): Filter[] {
  const own = filters.filter((one) => one.origin === origin)
  const crowd = own.length > maxPerOrigin ? own : filters.length > maxFilters ? largestSite(filters) : []
  const oldest = crowd.reduce<Filter | undefined>(
    (one, other) => (one !== undefined && one.usedAt <= other.usedAt ? one : other),
    undefined,
  )
  return filters.filter((one) => one !== oldest)
}

function largestSite(filters: Filter[]): Filter[] {
  const bySite = new Map<string, Filter[]>()
  for (const one of filters) bySite.set(one.origin, [...(bySite.get(one.origin) ?? []), one])
  return [...bySite.values()].reduce((one, other) => (other.length > one.length ? other : one))
}

/** Geth's words, on which clients create another filter. */
function notFound(): WalletError {
  const words = { rpcCode: '-32000', rpcMessage: 'filter not found' }
  return new WalletError('node-answered', 'This site has no such filter.', words)
}

const filterSchema: v.GenericSchema<unknown, Filter> = v.object({
  origin: v.string(),
  chainId: v.number(),
  id: v.string(),
  isPending: v.boolean(),
  usedAt: v.number(),
})
