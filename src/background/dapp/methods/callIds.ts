import * as v from 'valibot'
import { sha256, stringToBytes } from 'viem'
import { encode } from '../../../domain/json.ts'
import { parseOrUndefined } from '../../../domain/parseOrUndefined.ts'
import type { RecordKey } from '../../../domain/storageKeys.ts'
import type { Hex } from '../../../domain/token/token.ts'
import { cached } from '../../../lib/async/cached.ts'
import { createMutex } from '../../../lib/async/mutex.ts'
import type { Requester } from '../../approvals/store.ts'
import { chainId, hash } from '../../schemas.ts'
import type { LocalStorage } from '../../storage.ts'

/** Request under a page's id: calls (EIP-5792) or a swap. */
export type CallId = {
  origin: string
  id: string
  kind: 'calls' | 'swap'
  chainId: number
  /** Milliseconds since 1970. */
  at: number
  /** `hashCalls` of the request, to tell repetitions from other requests. */
  asked: Hex
  /** `requesterKey` of the first requester, to recognize a resent request. */
  asker: string
  /** `sent`: approved and in the journal. */
  state: 'open' | 'refused' | 'sent'
  /** Journal id; of a swap once `sent`. */
  intentId?: string | undefined
}

/** Ids that pages gave their requests, kept for a day and visible to their own origin only. */
export type CallIds = {
  get(origin: string, id: string): Promise<CallId | undefined>
  /** Returns the stored record, new or not. */
  claim(record: CallId): Promise<CallId>
  put(record: CallId): Promise<void>
  remove(origin: string, id: string): Promise<void>
  /** Clears the cache. */
  forget(): void
}

const prefix = 'call-id.'
const dayMs = 24 * 60 * 60 * 1_000
const most = { ofOrigin: 50, ofAll: 1_000 }

/** Ids are hashed, as long ones could fill the disk. A site with many loses its own first. */
export function createCallIds(local: LocalStorage, now: () => number): CallIds {
  const runExclusive = createMutex()
  const all = cached(async () => {
    const found = Object.entries(await local.all()).flatMap(([key, stored]): [RecordKey, Stored][] => {
      if (!isOurs(key)) return []
      const known = parseOrUndefined(storedShape, stored)
      return known === undefined ? [] : [[key, known]]
    })
    return new Map(found)
  })

  async function find(origin: string, id: string): Promise<CallId | undefined> {
    const found = (await all.get()).get(batchKey(origin, id))
    return found !== undefined && now() - found.at < dayMs ? { ...found, id } : undefined
  }

  async function save({ id, ...record }: CallId): Promise<void> {
    const records = await all.get()
    const key = batchKey(record.origin, id)
    await local.set({ [key]: record })
    records.set(key, record)
    // Retried after a restart.
    await drop(surplus(records, now())).catch(() => undefined)
  }

  async function drop(keys: RecordKey[]): Promise<void> {
    const records = await all.get()
    for (const key of keys) records.delete(key)
    if (keys.length > 0) await local.remove(keys)
  }

  return {
    forget: all.forget,
    get: find,
    claim: (record) =>
      runExclusive(async () => {
        const known = await find(record.origin, record.id)
        if (known === undefined) await save(record)
        return known ?? record
      }),
    put: (record) => runExclusive(() => save(record)),
    remove: (origin, id) => runExclusive(() => drop([batchKey(origin, id)])),
  }
}

function isOurs(key: string): key is RecordKey {
  return key.startsWith(prefix)
}

function surplus(records: Map<RecordKey, Stored>, now: number): RecordKey[] {
  const left = new Map<string, number>()
  let room = most.ofAll
  const newestFirst = [...records].sort(([, one], [, other]) => other.at - one.at)
  return newestFirst.flatMap(([key, { origin, at }]) => {
    const ofOrigin = left.get(origin) ?? most.ofOrigin
    if (now - at >= dayMs || ofOrigin === 0 || room === 0) return [key]
    left.set(origin, ofOrigin - 1)
    room -= 1
    return []
  })
}

/** Returns equal hashes for equal values, parsed or not. */
export function hashCalls(asked: unknown): Hex {
  return sha256(stringToBytes(encode(asked)))
}

export function requesterKey({ documentId, requestId }: Requester): string {
  return `${documentId} ${requestId}`
}

function batchKey(origin: string, id: string): RecordKey {
  return `${prefix}${hashCalls([origin, id])}`
}

type Stored = Omit<CallId, 'id'>

const storedShape: v.GenericSchema<unknown, Stored> = v.object({
  origin: v.string(),
  kind: v.picklist(['calls', 'swap']),
  chainId,
  at: v.number(),
  asked: hash,
  asker: v.string(),
  state: v.picklist(['open', 'refused', 'sent']),
  intentId: v.optional(v.string()),
})
