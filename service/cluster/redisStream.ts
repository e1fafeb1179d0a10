import { randomUUID } from 'node:crypto'
import type { Hex } from 'viem'
import { z } from 'zod'
import { decodeSnapshot, encodeSnapshot, maxPackedBytes } from '../indexer/snapshotCodec.ts'
import type { Update } from '../indexer/update.ts'
import type { Log } from '../log.ts'
import type { Redis } from './redis.ts'

/**
 * The cluster's lock and log in Redis. Only the leader writes; a former one learns of its loss by writing.
 */
export type ReplicationLog = {
  /** Acquires or keeps the lock for `lockMs`, as does each write. */
  claim(): Promise<boolean>
  /** False if the lock is lost. */
  renew(): Promise<boolean>
  release(): Promise<void>
  /** False, without writing, if the lock is lost. */
  write(note: LogEntry): Promise<boolean>
  /** Also stores a snapshot; deletes entries before the previous one. */
  writeWhole(note: LogEntry, whole: Update): Promise<boolean>
  /** Undefined if missing or unreadable. */
  readWhole(): Promise<{ id: string; whole: Update } | undefined>
  notesFrom(id: string): Promise<StoredEntry[]>
  /** Waits up to `ms`. */
  nextNotes(id: string, ms: number): Promise<StoredEntry[]>
  lastNote(): Promise<StoredEntry | undefined>
  ask(what: RefreshRequest): Promise<string>
  nextAsks(id: string, ms: number): Promise<{ id: string; what: RefreshRequest }[]>
  lastAsk(): Promise<string>
}

/** Read the chain now, or write a snapshot. */
export type RefreshRequest = 'refresh' | 'whole'

export type LogEntry = {
  hash: Hex
  /** Milliseconds since the chain was checked, at writing; in `notesFrom` and `lastNote`, at reading. */
  ageMs: number
  /** Last request handled before. */
  asked: string
  /** Undefined for no change or a snapshot. */
  update?: Update
}

/** Without a hash, the leader has left. */
export type StoredEntry = Partial<LogEntry> & { id: string }

export const logStart = '0-0'

export function createReplicationLog(redis: Redis, mark: string, lockMs: number, log?: Log): ReplicationLog {
  const me = randomUUID()
  const key = (name: string) => `sluice:${mark}:${name}`
  const [reader, notes, whole, asks] = [key('reader'), key('notes'), key('whole'), key('asks')]

  async function fieldsOf({ hash, ageMs, asked, update }: LogEntry): Promise<(string | Buffer)[]> {
    const fields = ['hash', hash, 'age', String(ageMs), 'asked', asked]
    return update === undefined ? fields : [...fields, 'update', await encodeSnapshot(update, mark)]
  }

  let lastFault: string | undefined

  /** Redis content is untrusted. Repeated errors are logged once. */
  async function read(packed: Buffer): Promise<Update | undefined> {
    try {
      const update = await decodeSnapshot(packed, mark)
      lastFault = undefined
      return update
    } catch (error) {
      refuse((error as Error).message)
      return undefined
    }
  }

  function refuse(fault: string): void {
    if (fault !== lastFault) log?.warn({ fault }, 'what another host has written cannot be read')
    lastFault = fault
  }

  /** An invalid entry counts as the leader's exit. */
  async function toNoted([id, fields]: RawEntry): Promise<StoredEntry> {
    const found = toRecord(fields)
    if (found.hash === undefined) return { id: String(id) }
    const head = noteShape.safeParse({
      hash: String(found.hash),
      ageMs: Number(found.age),
      asked: String(found.asked),
    })
    if (!head.success) {
      refuse('It is a note without a block, an age or an ask.')
      return { id: String(id) }
    }
    const update = found.update && (await read(found.update))
    return { id: String(id), ...head.data, ...(update === undefined ? {} : { update }) }
  }

  const toNotes = (entries: RawEntry[]) => Promise.all(entries.map(toNoted))

  /** Adds the age by Redis's clock. */
  async function findOlder(entries: RawEntry[]): Promise<StoredEntry[]> {
    const [seconds, micros] = ((await redis.ask(['TIME'])) as Buffer[]).map(Number) as [number, number]
    const now = seconds * 1_000 + micros / 1_000
    return (await toNotes(entries)).map(({ ageMs = 0, ...note }) => ({
      ...note,
      ageMs: ageMs + Math.max(0, now - timeOf(note.id)),
    }))
  }

  return {
    async claim() {
      const args = ['EVAL', scripts.claim, '1', reader, me, String(lockMs)]
      return (await redis.ask(args)) === 1
    },

    async renew() {
      return (await redis.ask(['EVAL', scripts.renew, '1', reader, me, String(lockMs)])) === 1
    },

    async release() {
      await redis.ask(['EVAL', scripts.release, '2', reader, notes, me])
    },

    async write(note) {
      const fields = await fieldsOf(note)
      const args = ['EVAL', scripts.write, '2', reader, notes, me, String(lockMs), ...fields]
      return (await redis.ask(args)) !== null
    },

    async writeWhole(note, update) {
      const packed = await encodeSnapshot(update, mark)
      const fields = await fieldsOf(note)
      const keys = ['3', reader, notes, whole]
      const args = ['EVAL', scripts.writeWhole, ...keys, me, String(lockMs), packed, ...fields]
      return (await redis.carry(args)) !== null
    },

    async readWhole() {
      const args = ['EVAL', scripts.readWhole, '1', whole, String(maxPackedBytes)]
      const [id, data] = (await redis.carry(args)) as (Buffer | null)[]
      if (id && !data) refuse(`It has more than ${maxPackedBytes} bytes.`)
      const all = id && isStreamId(String(id)) && data && (await read(data))
      return all ? { id: String(id), whole: all } : undefined
    },

    async notesFrom(id) {
      const found: StoredEntry[] = []
      for (let from = id; found.length < maxNotes; from = `(${found.at(-1)?.id}`) {
        const page = ['XRANGE', notes, from, '+', 'COUNT', String(notesPerPage)]
        const entries = (await redis.carry(page)) as RawEntry[]
        found.push(...(await findOlder(entries)))
        if (entries.length < notesPerPage) return found
      }
      refuse(`There are more than ${maxNotes} notes.`)
      return found
    },

    async nextNotes(id, ms) {
      return toNotes(await nextEntries(redis, notes, id, ms))
    },

    async lastNote() {
      const last = await findOlder(
        (await redis.ask(['XREVRANGE', notes, '+', '-', 'COUNT', '1'])) as RawEntry[],
      )
      return last[0]
    },

    async ask(what) {
      const id = await redis.ask(['XADD', asks, 'MAXLEN', '~', '1000', '*', 'what', what])
      await redis.ask(['PEXPIRE', asks, String(keptMs)])
      return String(id)
    },

    async nextAsks(id, ms) {
      const found = await nextEntries(redis, asks, id, ms)
      return found.map(([id, fields]) => ({
        id: String(id),
        what: String(toRecord(fields).what) as RefreshRequest,
      }))
    },

    async lastAsk() {
      const last = (await redis.ask(['XREVRANGE', asks, '+', '-', 'COUNT', '1'])) as RawEntry[]
      return last[0] ? String(last[0][0]) : logStart
    },
  }
}

const notesPerPage = 64
/** Several hours without changes. */
const maxNotes = 50_000

const isStreamId = (text: string) => /^\d{1,20}-\d{1,20}$/.test(text)

/** A negative age would make old state look new. */
const noteShape = z.object({
  hash: z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]),
  ageMs: z.number().min(0).max(31_536_000_000),
  asked: z.string().refine((text) => text === '' || isStreamId(text)),
})

/** True if stream id `by` is at or after `id` (milliseconds, then sequence). */
export function hasReached(id: string, by: string): boolean {
  const [ms = 0, count = 0] = id.split('-').map(Number)
  const [byMs = 0, byCount = 0] = by.split('-').map(Number)
  return byMs > ms || (byMs === ms && byCount >= count)
}

/** Expiry of abandoned keys. */
const keptMs = 86_400_000

function timeOf(id: string): number {
  return Number(id.split('-')[0])
}

type RawEntry = [id: Buffer, fields: Buffer[]]

async function nextEntries(redis: Redis, stream: string, id: string, ms: number): Promise<RawEntry[]> {
  const command = [
    ...['XREAD', 'COUNT', String(notesPerPage), 'BLOCK', String(Math.floor(ms))],
    ...['STREAMS', stream, id],
  ]
  const answer = await redis.wait(command, ms)
  return (answer as [Buffer, RawEntry[]][] | null)?.[0]?.[1] ?? []
}

function toRecord(fields: Buffer[]): Record<string, Buffer> {
  const record: Record<string, Buffer> = {}
  for (let i = 0; i + 1 < fields.length; i += 2) record[String(fields[i])] = fields[i + 1] as Buffer
  return record
}

/** Scripts are atomic: the lock cannot change before the write. */
const isMine = `redis.call('GET', KEYS[1]) == ARGV[1]`
const renew = `redis.call('PEXPIRE', KEYS[1], ARGV[2])`

const scripts = {
  claim: `
    if ${isMine} then return ${renew} end
    return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) and 1 or 0`,

  renew: `
    if not (${isMine}) then return 0 end
    return ${renew}`,

  release: `
    if not (${isMine}) then return false end
    redis.call('XADD', KEYS[2], '*', 'gone', '1')
    return redis.call('DEL', KEYS[1])`,

  write: `
    if not (${isMine}) then return false end
    ${renew}
    return redis.call('XADD', KEYS[2], '*', unpack(ARGV, 3))`,

  readWhole: `
    local size = redis.call('HSTRLEN', KEYS[1], 'data')
    if size > tonumber(ARGV[1]) then return { redis.call('HGET', KEYS[1], 'id'), false } end
    return redis.call('HMGET', KEYS[1], 'id', 'data')`,

  writeWhole: `
    if not (${isMine}) then return false end
    ${renew}
    local id = redis.call('XADD', KEYS[2], '*', unpack(ARGV, 4))
    local last = redis.call('HGET', KEYS[3], 'id')
    redis.call('HSET', KEYS[3], 'id', id, 'data', ARGV[3])
    if last then redis.call('XTRIM', KEYS[2], 'MINID', last) end
    for i = 2, 3 do redis.call('PEXPIRE', KEYS[i], ${keptMs}) end
    return id`,
}
