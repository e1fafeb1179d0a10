import { z } from 'zod'
import type { Want } from '../indexer/onDemand/tokenCoverage.ts'

/** Read the chain now, or write a snapshot. */
export type RefreshRequest = 'refresh' | 'whole'

/** `find`: write the pools of tokens; `touch`: the tokens were used. */
export type StoredRequest = { id: string; what: RefreshRequest | 'find' | 'touch'; wants: Want[] }

/** An entry as Redis answers it. */
export type RawEntry = [id: Buffer, fields: Buffer[]]

export const logStart = '0-0'

export const isStreamId = (text: string) => /^\d{1,20}-\d{1,20}$/.test(text)

/** Per request. */
export const maxWants = 500

const token = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{40}$/)])

/** A negative age would make old state look new. */
const entrySchema = z.object({
  hash: z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]),
  ageMs: z.number().min(0).max(31_536_000_000),
  asked: z.string().refine((text) => text === '' || isStreamId(text)),
  tokens: z.string().regex(/^([0-9a-f]{16})?$/),
})

const requestSchema = z.object({
  what: z.enum(['refresh', 'whole', 'find', 'touch']),
  wants: z.array(z.union([z.tuple([token]), z.tuple([token, token])])).max(maxWants),
})

/** True if stream id `by` is at or after `id` (milliseconds, then sequence). */
export function hasReached(id: string, by: string): boolean {
  const [ms = 0, count = 0] = id.split('-').map(Number)
  const [byMs = 0, byCount = 0] = by.split('-').map(Number)
  return byMs > ms || (byMs === ms && byCount >= count)
}

/** Milliseconds of Redis's clock. */
export function timeOf(id: string): number {
  return Number(id.split('-')[0])
}

/** Parses the head of a log entry. */
export function parseEntry(found: Record<string, Buffer>) {
  return entrySchema.safeParse({
    hash: String(found.hash),
    ageMs: Number(found.age),
    asked: String(found.asked),
    tokens: String(found.tokens),
  })
}

/** An invalid one counts as a request to read. */
export function toStoredRequest([id, fields]: RawEntry): StoredRequest {
  const { what, wants = '' } = toRecord(fields)
  const list = String(wants).split(',').filter(Boolean)
  const parsed = requestSchema.safeParse({ what: String(what), wants: list.map((want) => want.split('-')) })
  return { id: String(id), ...(parsed.success ? parsed.data : { what: 'refresh', wants: [] }) }
}

export function toRecord(fields: Buffer[]): Record<string, Buffer> {
  const record: Record<string, Buffer> = {}
  for (let i = 0; i + 1 < fields.length; i += 2) record[String(fields[i])] = fields[i + 1] as Buffer
  return record
}
