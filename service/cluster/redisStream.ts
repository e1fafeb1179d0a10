import { randomUUID } from 'node:crypto'
import type { Hex } from 'viem'
import { z } from 'zod'
import { decodeSnapshot, encodeSnapshot, maxPackedBytes } from '../indexer/snapshotCodec.ts'
import type { Update } from '../indexer/update.ts'
import type { Log } from '../log.ts'
import type { Redis } from './redis.ts'

/**
 * What the hosts of one config tell each other through Redis: who of them reads the chain, and what it has read. The reader alone
 * writes, and whoever is no reader any more finds out by writing.
 */
export type ReplicationLog = {
  /** Whether reading is now this host's job: nobody else's, or its own already. It stays so for `lockMs` after each thing it writes. */
  claim(): Promise<boolean>
  /** Keeps the job without a word. False when it is another's, or nobody's. */
  renew(): Promise<boolean>
  /** Lets another host take over. */
  release(): Promise<void>
  /** Adds a note. False when reading is not this host's job; then nothing was written. */
  write(note: LogEntry): Promise<boolean>
  /** The same, with all there is at that block kept for those who come later. Notes before the last such are forgotten. */
  writeWhole(note: LogEntry, whole: Update): Promise<boolean>
  /** All there was at one block, and the note to go on after. What cannot be read is as if it were not there. */
  readWhole(): Promise<{ id: string; whole: Update } | undefined>
  /** The notes from one on. */
  notesFrom(id: string): Promise<StoredEntry[]>
  /** The notes after one; while there is none, waits up to `ms`. */
  nextNotes(id: string, ms: number): Promise<StoredEntry[]>
  lastNote(): Promise<StoredEntry | undefined>
  /** Asks the reader something. */
  ask(what: RefreshRequest): Promise<string>
  nextAsks(id: string, ms: number): Promise<{ id: string; what: RefreshRequest }[]>
  lastAsk(): Promise<string>
}

/** To read the chain now, or to write the whole again. */
export type RefreshRequest = 'refresh' | 'whole'

/** Where the reader stands. */
export type LogEntry = {
  hash: Hex
  /** How long before the chain was seen to stand there: before it was written, and of one that is found, before that. */
  ageMs: number
  /** The last of the hosts' asks that was heard before that. */
  asked: string
  /** What led there from the note before; absent when nothing did, or all is new. */
  update?: Update
}

/** A note as it is found. One without a hash says that the reader has gone. */
export type StoredEntry = Partial<LogEntry> & { id: string }

export const logStart = '0-0'

export function createBoard(redis: Redis, mark: string, lockMs: number, log?: Log): ReplicationLog {
  const me = randomUUID()
  const key = (name: string) => `sluice:${mark}:${name}`
  const [reader, notes, whole, asks] = [key('reader'), key('notes'), key('whole'), key('asks')]

  async function fieldsOf({ hash, ageMs, asked, update }: LogEntry): Promise<(string | Buffer)[]> {
    const fields = ['hash', hash, 'age', String(ageMs), 'asked', asked]
    return update === undefined ? fields : [...fields, 'update', await encodeSnapshot(update, mark)]
  }

  let lastFault: string | undefined

  /** Another host, or anybody who can write to Redis, wrote it. A fault is logged once until something can be read again. */
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

  /** A note that is none is as if its reader had gone: whoever reads next writes over it. */
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

  /** Notes that may have been there for long: since when, tells Redis' own clock. */
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

/** Entries of a stream that are read at once: each may hold what a block has changed. */
const notesPerPage = 64
/** Notes that a host reads to come up to date: several hours' of a chain without changes. */
const maxNotes = 50_000

const isStreamId = (text: string) => /^\d{1,20}-\d{1,20}$/.test(text)

/** An age beyond a year is none; a negative one would make what is old look new. */
const noteShape = z.object({
  hash: z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]),
  ageMs: z.number().min(0).max(31_536_000_000),
  asked: z.string().refine((text) => text === '' || isStreamId(text)),
})

/** Whether one stream id is at or after another: both count milliseconds, and entries within one. */
export function hasReached(id: string, by: string): boolean {
  const [ms = 0, count = 0] = id.split('-').map(Number)
  const [byMs = 0, byCount = 0] = by.split('-').map(Number)
  return byMs > ms || (byMs === ms && byCount >= count)
}

/** For how long things stay in Redis that nobody renews: a config's that nobody serves any more. */
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

/** Redis runs a script as one step: nobody becomes reader between its check and its writing. */
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
