import { sha256, stringToHex } from 'viem/utils'
import * as z from 'zod/mini'
import { encode } from '../domain/json.ts'
import type { Hex } from '../domain/token.ts'
import { createQueue } from '../vault/queue.ts'
import type { Asker } from './approvals.ts'
import { chainId, hash } from './shapes.ts'
import type { Area } from './storage.ts'

/** What a page asked for under a name of its own: calls (EIP-5792) or a swap. */
export type CallId = {
  origin: string
  /** The page's name for it. */
  id: string
  kind: 'calls' | 'swap'
  chainId: number
  /** Milliseconds since 1970. */
  at: number
  /** `digest` of what was asked, to tell a repetition from another request of the same name. */
  asked: Hex
  /** `askerName` of who asked first: the same request, sent again after a worker was stopped, is no repetition. */
  asker: string
  /** Of a swap. `sent`: the user agreed, and the intent is in the journal. Calls stay `open`: the journal tells how they stand. */
  state: 'open' | 'refused' | 'sent'
  /** The journal's name for it: of a swap once it is `sent`, of calls from the beginning. */
  intentId?: string | undefined
}

/**
 * The names that pages gave to what they asked for, each for a day, kept in the browser's storage. Used by `wallet_sendCalls`
 * and `wallet_swap`: `claim` before the user is asked, `put` with another `state` when that is over, and `get` for
 * `wallet_getCallsStatus`. A name is known to its own origin only.
 */
export type CallIds = {
  get(origin: string, id: string): Promise<CallId | undefined>
  /** Stores `record` unless its origin has used that name. Answers what is stored: `record` itself when it is new. */
  claim(record: CallId): Promise<CallId>
  /** Stores `record` over what is there. */
  put(record: CallId): Promise<void>
  /** The name is free again. */
  remove(origin: string, id: string): Promise<void>
}

const key = 'call-ids'
const dayMs = 24 * 60 * 60 * 1_000
const mostRecords = 1_000

/**
 * Names are kept as hashes: they may have thousands of characters, and pages would fill the disk with them.
 */
export function createCallIds(local: Area, now: () => number): CallIds {
  const oneAtATime = createQueue()

  /** Those of the last day. */
  async function load(): Promise<Stored> {
    const stored = storedShape.safeParse(await local.get(key))
    if (!stored.success) return {}
    return Object.fromEntries(Object.entries(stored.data).filter(([, { at }]) => now() - at < dayMs))
  }

  async function save(records: Stored, { id, ...record }: CallId): Promise<void> {
    const all = Object.entries({ ...records, [nameOf(record.origin, id)]: record })
    const newest = all.sort(([, one], [, other]) => other.at - one.at).slice(0, mostRecords)
    await local.set({ [key]: Object.fromEntries(newest) })
  }

  function find(records: Stored, origin: string, id: string): CallId | undefined {
    const found = records[nameOf(origin, id)]
    return found && { ...found, id }
  }

  return {
    get: async (origin, id) => find(await load(), origin, id),
    claim: (record) =>
      oneAtATime(async () => {
        const records = await load()
        const known = find(records, record.origin, record.id)
        if (known === undefined) await save(records, record)
        return known ?? record
      }),
    put: (record) => oneAtATime(async () => save(await load(), record)),
    remove: (origin, id) =>
      oneAtATime(async () => {
        const { [nameOf(origin, id)]: _freed, ...rest } = await load()
        await local.set({ [key]: rest })
      }),
  }
}

/** The same for equal values, parsed or not. */
export function digest(asked: unknown): Hex {
  return sha256(stringToHex(encode(asked)))
}

/** One request of one document. */
export function askerName({ documentId, requestId }: Asker): string {
  return `${documentId} ${requestId}`
}

function nameOf(origin: string, id: string): Hex {
  return digest([origin, id])
}

type Stored = Record<string, Omit<CallId, 'id'>>

const storedShape: z.ZodMiniType<Stored> = z.record(
  z.string(),
  z.object({
    origin: z.string(),
    kind: z.enum(['calls', 'swap']),
    chainId,
    at: z.number(),
    asked: hash,
    asker: z.string(),
    state: z.enum(['open', 'refused', 'sent']),
    intentId: z.optional(z.string()),
  }),
)
