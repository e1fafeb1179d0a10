import * as v from 'valibot'
import { sha256, stringToBytes } from 'viem'
import type { CallsIntent } from '../../domain/activity/callBatch.ts'
import { type Intent, isSwapIntent } from '../../domain/activity/intent.ts'
import { decode, encode } from '../../domain/json.ts'
import { parseOrUndefined } from '../../domain/parseOrUndefined.ts'
import type { RecordKey } from '../../domain/storageKeys.ts'
import type { SwapIntent } from '../../domain/swap/swap.ts'
import { type Hex, zeroAddress } from '../../domain/token/token.ts'
import { cached } from '../../lib/async/cached.ts'
import { hash, intent } from '../schemas.ts'
import type { LocalStorage } from '../storage.ts'
import {
  callsIntent,
  type IntentRecord,
  type ReplacementTransaction,
  recordSchema,
  type SignedStep,
  type StepRecord,
} from './schemas.ts'

// Write-ahead journal (docs/security/journal.md): stored before sending, so a restart does not sign
// twice.

export type Journal = {
  get(id: string): Promise<IntentRecord | undefined>
  /** Newest first. Damaged records appear as failed. */
  list(): Promise<IntentRecord[]>
  /** Stores the record, or throws and keeps nothing. */
  put(record: IntentRecord): Promise<void>
  /** Clears the cache. */
  forget(): void
}

const prefixes = { swap: 'swap.', calls: 'calls.' } as const
type Kind = keyof typeof prefixes
const maxRecords = 500

/** Stores each record under its own key, with a checksum. */
export function createJournal(local: LocalStorage): Journal {
  const damaged = new Set<string>()
  const all = cached(async () => {
    damaged.clear()
    const records = new Map<string, IntentRecord>()
    for (const [key, stored] of Object.entries(await local.all())) {
      const kind = getKind(key)
      if (kind === undefined) continue
      const id = key.slice(prefixes[kind].length)
      const record = unseal(stored, key)
      if (record === undefined) damaged.add(id)
      records.set(id, record ?? damagedRecord(kind, id, stored))
    }
    return records
  })

  /** Removes the oldest closed records, except damaged ones. */
  async function prune(records: Map<string, IntentRecord>): Promise<void> {
    if (records.size <= maxRecords) return
    const over = newestFirst(records).filter(
      (record) => !isRecordOpen(record) && !damaged.has(record.intent.id),
    )
    for (const { intent } of over.reverse().slice(0, records.size - maxRecords)) {
      await local.remove([journalKey(intent)])
      records.delete(intent.id)
    }
  }

  return {
    forget: all.forget,
    async get(id) {
      return (await all.get()).get(id)
    },
    async list() {
      return newestFirst(await all.get())
    },
    async put(record) {
      const records = await all.get()
      const { id } = record.intent
      if (damaged.has(id)) throw new Error('The record is damaged.')
      const key = journalKey(record.intent)
      const kept = isRecordOpen(record) ? record : slim(record)
      await local.set({ [key]: seal(kept) }).catch(async (error) => {
        // An unreported intent must not start later.
        if (!records.has(id)) await local.remove([key]).catch(() => undefined)
        throw error
      })
      records.set(id, kept)
      // Retried at the next write.
      await prune(records).catch(() => undefined)
    },
  }
}

/** True while the outcome may still change. */
export function isRecordOpen({ steps, outcome }: IntentRecord): boolean {
  if (outcome.status === 'working' || outcome.status === 'needs-unlock') return true
  return steps.some((step) => isSigned(step) && !isStepFinal(step))
}

/** Dropped transactions may reappear until their nonce is used; blocks may be reorganised until deep. */
export function isStepFinal({ state, settled }: SignedStep): boolean {
  return state === 'final' || settled === true
}

export function isSigned(step: StepRecord): step is SignedStep {
  return step.state !== 'waiting'
}

/** True if mined with the intended effect. */
export function isMined(step: StepRecord): boolean {
  return step.state === 'mined' || step.state === 'final'
}

/** True if mined with any effect. */
export function isInBlock(step: StepRecord): boolean {
  return isMined(step) || step.state === 'reverted' || step.state === 'cancelled'
}

/** Returns all transactions of a step, newest first. */
export function competingTransactions({
  raw,
  hash,
  rivals = [],
}: SignedStep): [ReplacementTransaction, ...ReplacementTransaction[]] {
  const [newest = { raw, hash }, ...older] = rivals.toReversed()
  return [newest, ...older]
}

/** Saves storage. */
function slim(record: IntentRecord): IntentRecord {
  const { intent, steps } = record
  if (isSwapIntent(intent)) return record
  return {
    ...record,
    intent: { ...intent, calls: intent.calls.map((call) => ({ ...call, data: '0x' })) },
    steps: steps.map((step) => (isSigned(step) ? withoutBytes(step) : step)),
  }
}

function withoutBytes(step: SignedStep): SignedStep {
  const { rivals } = step
  return { ...step, raw: '0x', ...(rivals && { rivals: rivals.map((one) => ({ ...one, raw: '0x' })) }) }
}

function journalKey(intent: Intent): RecordKey {
  return `${prefixes[isSwapIntent(intent) ? 'swap' : 'calls']}${intent.id}`
}

function getKind(key: string): Kind | undefined {
  return (['swap', 'calls'] as const).find((kind) => key.startsWith(prefixes[kind]))
}

type Sealed = { body: string; sum: Hex }

function seal(record: IntentRecord): Sealed {
  const body = encode(record)
  return { body, sum: checksum(body) }
}

function unseal(stored: unknown, key: string): IntentRecord | undefined {
  const sealed = v.safeParse(sealedShape, stored)
  if (!sealed.success || sealed.output.sum !== checksum(sealed.output.body)) return undefined
  const record = readBody(recordSchema, sealed.output.body)
  return record !== undefined && journalKey(record.intent) === key ? record : undefined
}

function checksum(body: string): Hex {
  return sha256(stringToBytes(body))
}

function readBody<T>(shape: v.GenericSchema<unknown, T>, body: string): T | undefined {
  try {
    return parseOrUndefined(shape, decode(body))
  } catch {
    return undefined
  }
}

function damagedRecord(kind: Kind, id: string, stored: unknown): IntentRecord {
  const sealed = v.safeParse(sealedShape, stored)
  const shape: v.GenericSchema<unknown, { intent: Intent }> = v.object({
    intent: kind === 'swap' ? intent : callsIntent,
  })
  const readable = sealed.success ? readBody(shape, sealed.output.body)?.intent : undefined
  return {
    intent: { ...(readable ?? unreadable[kind]), id },
    createdAt: 0,
    steps: [],
    outcome: {
      status: 'failed',
      code: 'record-damaged',
      message: `The record of ${what[kind]} was damaged on disk.`,
      facts: { record: prefixes[kind] + id },
    },
  }
}

const unreadable: { swap: Omit<SwapIntent, 'id'>; calls: Omit<CallsIntent, 'id'> } = {
  swap: {
    account: zeroAddress,
    trade: { chainId: 0, sell: zeroAddress, buy: zeroAddress, amount: 0n },
    slippageBps: 0,
    floor: 0n,
    router: zeroAddress,
    feeCap: 0n,
  },
  calls: { account: zeroAddress, chainId: 0, calls: [], feeCap: 0n, mayFail: false },
}

const what: Record<Kind, string> = { swap: 'this swap', calls: 'these calls' }

function newestFirst(records: Map<string, IntentRecord>): IntentRecord[] {
  return [...records.values()].sort((one, other) => other.createdAt - one.createdAt)
}

const sealedShape = v.object({ body: v.string(), sum: hash })
