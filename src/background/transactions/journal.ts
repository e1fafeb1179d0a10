import * as v from 'valibot'
import type { CallsIntent, ShownOutcome } from '../../domain/activity/callBatch.ts'
import { type Intent, isSwapIntent } from '../../domain/activity/intent.ts'
import { sha256 } from '../../domain/hash.ts'
import { utf8 } from '../../domain/hex.ts'
import { decode, encode } from '../../domain/json.ts'
import { parseOrUndefined } from '../../domain/readAs.ts'
import type { RecordKey } from '../../domain/storageKeys.ts'
import type { StepKind, StepState, Swap, SwapIntent } from '../../domain/swap/swap.ts'
import { type Hex, zeroAddress } from '../../domain/token/token.ts'
import { cached } from '../../lib/async/cached.ts'
import { hash, intent } from '../schemas.ts'
import type { LocalStorage } from '../storage.ts'
import { callsIntent, recordShape } from './schemas.ts'

// The write-ahead records of swaps and of pages' calls (docs/security.md, the journal). A transaction is stored, whole, before it is sent, so
// that a worker stopped at any moment leaves enough behind to go on without signing twice.

/** One intent as it is stored. `steps` of a swap is empty until they are planned. */
export type IntentRecord = {
  intent: Intent
  /** Milliseconds since 1970. */
  createdAt: number
  steps: StepRecord[]
  outcome: Swap['outcome']
}

export type StepRecord = WaitingStep | SignedStep
export type WaitingStep = { kind: StepKind; state: 'waiting' }
export type SignedStep = {
  kind: StepKind
  state: Exclude<StepState, 'waiting'>
  nonce: number
  /** The signed bytes: the newest that do what the step is for, or those that were mined. Sending them again is harmless; signing again is not. */
  raw: Hex
  hash: Hex
  /** Bytes that no node has seen by then are not sent again (milliseconds since 1970). */
  deadline: number
  /** The most it can cost in wei; once mined, what it did cost. */
  fee: bigint
  /** Reverted, replaced or cancelled, and deep enough that no reorganisation brings it back. */
  settled?: boolean | undefined
  /** The number of the block it was mined in. */
  block?: bigint | undefined
  /** It would be final, if the other one of two nodes told the same. */
  isDoubted?: true | undefined
  /** Of a batch: the outcome that the user saw, as far as it is to come after this call. */
  rest?: ShownOutcome | undefined
  /** All that was signed with the number, the newest last, where that is more than one. At most one of them is mined. */
  rivals?: ReplacementTransaction[] | undefined
}

/** `cancels`: it does nothing but use up the number. */
export type ReplacementTransaction = { raw: Hex; hash: Hex; cancels?: true }

export type Journal = {
  get(id: string): Promise<IntentRecord | undefined>
  /** Newest first. A record that was damaged shows as failed. */
  list(): Promise<IntentRecord[]>
  /** Stores the whole record in one write. Nothing is remembered when it throws. */
  put(record: IntentRecord): Promise<void>
  /** What is stored may be another by now. */
  forget(): void
}

const prefixes = { swap: 'swap.', calls: 'calls.' } as const
type Kind = keyof typeof prefixes
const mostRecords = 500

/** Keeps each record under a key of its own with a checksum, in `local`. */
export function createJournal(local: LocalStorage): Journal {
  const damaged = new Set<string>()
  const all = cached(async () => {
    damaged.clear()
    const records = new Map<string, IntentRecord>()
    for (const [key, stored] of Object.entries(await local.all())) {
      const kind = kindOf(key)
      if (kind === undefined) continue
      const id = key.slice(prefixes[kind].length)
      const record = unseal(stored, key)
      if (record === undefined) damaged.add(id)
      records.set(id, record ?? damagedRecord(kind, id, stored))
    }
    return records
  })

  /** Makes room by forgetting the oldest of those that are over. What is damaged stays as it is, for somebody to look at. */
  async function prune(records: Map<string, IntentRecord>): Promise<void> {
    if (records.size <= mostRecords) return
    const over = newestFirst(records).filter(
      (record) => !isRecordOpen(record) && !damaged.has(record.intent.id),
    )
    for (const { intent } of over.reverse().slice(0, records.size - mostRecords)) {
      await local.remove([keyOf(intent)])
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
      const key = keyOf(record.intent)
      const kept = isRecordOpen(record) ? record : slim(record)
      await local.set({ [key]: seal(kept) }).catch(async (error) => {
        // Whether anything was stored is unknown. What nobody was told about must not begin at the next start.
        if (!records.has(id)) await local.remove([key]).catch(() => undefined)
        throw error
      })
      records.set(id, kept)
      // Old records that could not be removed are tried again at the next write.
      await prune(records).catch(() => undefined)
    },
  }
}

/** True while the chain, or the user, may still change how it ends. */
export function isRecordOpen({ steps, outcome }: IntentRecord): boolean {
  if (outcome.status === 'working' || outcome.status === 'needs-unlock') return true
  return steps.some((step) => isSigned(step) && !isStepFinal(step))
}

/** A dropped transaction may turn up as long as nothing else has used its nonce; a block may be taken back until it is deep. */
export function isStepFinal({ state, settled }: SignedStep): boolean {
  return state === 'final' || settled === true
}

export function isSigned(step: StepRecord): step is SignedStep {
  return step.state !== 'waiting'
}

/** True when it is in a block, and did what it is for. */
export function isMined(step: StepRecord): boolean {
  return step.state === 'mined' || step.state === 'final'
}

/** The same, whatever it did there. */
export function isInBlock(step: StepRecord): boolean {
  return isMined(step) || step.state === 'reverted' || step.state === 'cancelled'
}

/** All that was signed for a step, the newest first. */
export function competingTransactions({
  raw,
  hash,
  rivals = [],
}: SignedStep): [ReplacementTransaction, ...ReplacementTransaction[]] {
  const [newest = { raw, hash }, ...older] = rivals.toReversed()
  return [newest, ...older]
}

/** Calls that are over, without their bytes, which nobody needs any more: a page's may be large, and the disk is small. */
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

function keyOf(intent: Intent): RecordKey {
  return `${prefixes[isSwapIntent(intent) ? 'swap' : 'calls']}${intent.id}`
}

function kindOf(key: string): Kind | undefined {
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
  const record = readBody(recordShape, sealed.output.body)
  return record !== undefined && keyOf(record.intent) === key ? record : undefined
}

function checksum(body: string): Hex {
  return sha256(utf8(body))
}

function readBody<T>(shape: v.GenericSchema<unknown, T>, body: string): T | undefined {
  try {
    return parseOrUndefined(shape, decode(body))
  } catch {
    return undefined
  }
}

/** What can be shown of a record whose bytes are not what was written: its intent when that much is readable. */
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
