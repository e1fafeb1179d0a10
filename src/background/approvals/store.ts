import * as v from 'valibot'
import type { Approval, DappRequest, Decision } from '../../domain/dapp/approval.ts'
import { decode, encode } from '../../domain/json.ts'
import { parseOrUndefined } from '../../domain/parseOrUndefined.ts'
import type { TypedData } from '../../domain/signing/typedData.ts'
import { WalletError } from '../../errors.ts'
import { cached } from '../../lib/async/cached.ts'
import { address, chainId, decision, hex, token, uint256 } from '../schemas.ts'
import { networkSchema } from '../settings.ts'
import type { StorageArea } from '../storage.ts'

/** One request of one document, as the browser reports it. */
export type Requester = { origin: string; documentId: string; tabId: number; requestId: number }

// Session storage outlives the worker, not the browser. Holds no secret.

export type ApprovalRecord = OpenRecord | ClosedRecord

/** `approved`, but not known to be executed. */
export type OpenRecord = { state: 'open'; approval: Approval; asker: Requester; approved?: Approved }

/** `at` in milliseconds since 1970. */
export type Approved = { decision: Decision; at: number }

/** Kept for pages that missed the answer. */
export type ClosedRecord = {
  state: 'closed'
  id: string
  kind: DappRequest['kind']
  asker: Requester
  endedAt: number
  end: ApprovalOutcome
}

export type ApprovalOutcome = { status: 'done'; outcome?: unknown } | { status: 'refused'; reason: Reason }

export type Reason = (typeof reasons)[number]

export type ApprovalRecords = {
  all(): Promise<ReadonlyMap<string, ApprovalRecord>>
  /** Stores all or none. */
  put(records: ApprovalRecord[]): Promise<void>
  /** Keeps the record in memory if storing fails. */
  keep(record: ApprovalRecord): Promise<void>
}

const reasons = ['rejected', 'closed', 'expired', 'withdrawn', 'disconnected'] as const

const prefix = 'approval.'
/** Per site, so that no site evicts another's. */
const kept = { ms: 10 * 60_000, most: 100 }

export function createApprovalRecords(session: StorageArea, now: () => number): ApprovalRecords {
  const { get: all } = cached(async () => {
    const records = new Map<string, ApprovalRecord>()
    for (const [key, stored] of Object.entries(await session.all())) {
      const record = key.startsWith(prefix) ? read(stored) : undefined
      if (record !== undefined && key === prefix + getApprovalId(record))
        records.set(getApprovalId(record), record)
    }
    return records
  })

  async function put(changed: ApprovalRecord[]): Promise<void> {
    const records = await all()
    await session.set(
      Object.fromEntries(changed.map((record) => [prefix + getApprovalId(record), encode(record)])),
    )
    for (const record of changed) records.set(getApprovalId(record), record)
    // Retried at the next write.
    await prune(records).catch(() => undefined)
  }

  async function prune(records: Map<string, ApprovalRecord>): Promise<void> {
    const over = [...records.values()]
      .filter((record) => record.state === 'closed')
      .sort((one, other) => other.endedAt - one.endedAt)
    const counts = new Map<string, number>()
    const isTooMany = ({ asker: { origin } }: ClosedRecord) => {
      counts.set(origin, (counts.get(origin) ?? 0) + 1)
      return (counts.get(origin) ?? 0) > kept.most
    }
    const ids = over
      .filter((record) => isTooMany(record) || now() - record.endedAt >= kept.ms)
      .map(({ id }) => id)
    if (ids.length === 0) return
    await session.remove(ids.map((id) => prefix + id))
    for (const id of ids) records.delete(id)
  }

  return {
    all,
    put,
    async keep(record) {
      const records = await all()
      records.set(getApprovalId(record), record)
      await put([record]).catch(() => undefined)
    },
  }
}

export function getApprovalId(record: ApprovalRecord): string {
  return record.state === 'open' ? record.approval.id : record.id
}

/** Returns open requests, oldest first. */
export function listPending(records: ReadonlyMap<string, ApprovalRecord>): OpenRecord[] {
  return [...records.values()]
    .filter((record) => record.state === 'open')
    .sort((one, other) => one.approval.createdAt - other.approval.createdAt)
}

/** Finds the same request by id, or by document and number. Throws `id-used`. */
export function findDuplicate(
  all: ReadonlyMap<string, ApprovalRecord>,
  { origin, documentId, requestId }: Requester,
  id: string | undefined,
): ApprovalRecord | undefined {
  const isSame = ({ asker }: ApprovalRecord) =>
    asker.documentId === documentId && asker.requestId === requestId && asker.origin === origin
  const known = (id === undefined ? undefined : all.get(id)) ?? [...all.values()].find(isSame)
  if (known !== undefined && known.asker.origin !== origin) {
    throw new WalletError('id-used', 'Another request has this id.')
  }
  return known
}

export function survivesPageClose(kind: DappRequest['kind']): boolean {
  return kind === 'swap'
}

export function getApprovalKind(record: ApprovalRecord): DappRequest['kind'] {
  return record.state === 'open' ? record.approval.ask.kind : record.kind
}

export function isRejected(record: ApprovalRecord): boolean {
  return record.state === 'closed' && record.end.status === 'refused'
}

export function toClosed(
  { approval, asker }: OpenRecord,
  end: ApprovalOutcome,
  endedAt: number,
): ClosedRecord {
  return { state: 'closed', id: approval.id, kind: approval.ask.kind, asker, endedAt, end }
}

function read(stored: unknown): ApprovalRecord | undefined {
  if (typeof stored !== 'string') return undefined
  try {
    return parseOrUndefined(recordShape, decode(stored))
  } catch {
    return undefined
  }
}

const text = v.string()
const time = v.number()
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** Validated by `parseTypedData`; must reach the signer unchanged. */
const typedData = v.custom<TypedData>((value) => typeof value === 'object' && value !== null)

const kinds = v.picklist([
  'connect',
  'sign-message',
  'sign-typed-data',
  'send',
  'add-chain',
  'switch-chain',
  'watch-asset',
  'swap',
])

const askShape: v.GenericSchema<unknown, DappRequest> = v.union([
  v.object({ kind: v.literal('connect'), accounts: v.array(address) }),
  v.object({ kind: v.literal('sign-message'), account: address, message: hex }),
  v.object({ kind: v.literal('sign-typed-data'), account: address, typedData }),
  v.object({
    kind: v.literal('send'),
    account: address,
    calls: v.array(
      v.object({
        to: v.exactOptional(address),
        data: hex,
        value: uint256,
        gas: v.exactOptional(uint256),
      }),
    ),
    batch: v.exactOptional(text),
  }),
  v.object({ kind: v.literal('add-chain'), network: networkSchema }),
  v.object({ kind: v.literal('switch-chain'), to: chainId }),
  v.object({
    kind: v.literal('watch-asset'),
    token,
  }),
  v.object({
    kind: v.literal('swap'),
    request: v.object({
      id: text,
      type: v.picklist(['sell', 'buy']),
      token: v.exactOptional(address),
      pairToken: v.exactOptional(address),
      amount: v.exactOptional(uint256),
      slippageBps: v.exactOptional(count),
      chainId,
      from: address,
      minReceived: v.exactOptional(uint256),
    }),
  }),
])

const asker: v.GenericSchema<unknown, Requester> = v.object({
  origin: text,
  documentId: text,
  tabId: v.pipe(v.number(), v.safeInteger()),
  requestId: v.number(),
})

const recordShape: v.GenericSchema<unknown, ApprovalRecord> = v.union([
  v.object({
    state: v.literal('open'),
    approval: v.object({
      id: text,
      origin: text,
      chainId,
      createdAt: time,
      expiresAt: time,
      ask: askShape,
    }),
    asker,
    approved: v.exactOptional(v.object({ decision, at: time })),
  }),
  v.object({
    state: v.literal('closed'),
    id: text,
    kind: kinds,
    asker,
    endedAt: time,
    end: v.union([
      v.object({ status: v.literal('done'), outcome: v.optional(v.unknown()) }),
      v.object({
        status: v.literal('refused'),
        reason: v.picklist(reasons),
      }),
    ]),
  }),
])
