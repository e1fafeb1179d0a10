import { randomUUID } from 'node:crypto'
import type { Hex } from 'viem'
import type { Want } from '../indexer/onDemand/tokenCoverage.ts'
import { decodeSnapshot, encodeSnapshot, maxPackedBytes, readSnapshot } from '../indexer/snapshotCodec.ts'
import type { DecodedUpdate, StreamedUpdate, Update } from '../indexer/update.ts'
import type { Log } from '../log.ts'
import type { Redis } from './redis.ts'
import { keptMs, scripts } from './redisScripts.ts'
import {
  isStreamId,
  logStart,
  parseEntry,
  type RawEntry,
  type RefreshRequest,
  type StoredRequest,
  timeOf,
  toRecord,
  toStoredRequest,
} from './streamEntries.ts'

/**
 * The cluster's lease and log in Redis. Only the leader, who holds the lease, appends; a former one learns of
 * its loss by writing.
 */
export type ReplicationLog = {
  /** Acquires or renews the lease for `lockMs`, as does each write. */
  claim(): Promise<boolean>
  /** False if the lease is lost. */
  renew(): Promise<boolean>
  /** Milliseconds until the lease expires; 0 if it is free. */
  leaseMs(): Promise<number>
  release(): Promise<void>
  /** False, without writing, if the lease is lost. */
  write(entry: LogEntry): Promise<boolean>
  /** Also stores a snapshot; deletes entries before the previous one. */
  writeSnapshot(entry: LogEntry, whole: StreamedUpdate): Promise<boolean>
  /** Undefined if missing or unreadable; pools are decoded, and may throw, while they are read. */
  readSnapshot(): Promise<{ id: string; whole: DecodedUpdate } | undefined>
  entriesFrom(id: string): Promise<StoredEntry[]>
  /** Waits up to `ms`. */
  nextEntries(id: string, ms: number): Promise<StoredEntry[]>
  lastEntry(): Promise<StoredEntry | undefined>
  request(what: RefreshRequest): Promise<string>
  requestTokens(what: 'find' | 'touch', wants: readonly Want[]): Promise<void>
  nextRequests(id: string, ms: number): Promise<StoredRequest[]>
  lastRequest(): Promise<string>
}

export type LogEntry = {
  hash: Hex
  /** Milliseconds since the chain was checked, at writing; in `entriesFrom` and `lastEntry`, at reading. */
  ageMs: number
  /** Last request handled before. */
  asked: string
  /** Mark of the tokens whose pools the state has. */
  tokens: string
  /** Undefined for no change or a snapshot. */
  update?: Update
}

/** Without a hash, the leader has resigned. */
export type StoredEntry = Partial<LogEntry> & { id: string }

export function createReplicationLog(
  redis: Redis,
  mark: string,
  lockMs: number,
  logger?: Log,
): ReplicationLog {
  const me = randomUUID()
  const key = (name: string) => `sluice:${mark}:${name}`
  const [lease, log, snapshot, requests] = [key('reader'), key('notes'), key('whole'), key('asks')]

  async function fieldsOf(entry: LogEntry): Promise<(string | Buffer)[]> {
    const { hash, ageMs, asked, tokens, update } = entry
    const fields = ['hash', hash, 'age', String(ageMs), 'asked', asked, 'tokens', tokens]
    return update === undefined ? fields : [...fields, 'update', await encodeSnapshot(update, mark)]
  }

  let lastFault: string | undefined

  /** Redis content is untrusted. Repeated errors are logged once. */
  async function read<Read>(
    decode: (packed: Buffer, mark: string) => Promise<Read>,
    packed: Buffer,
  ): Promise<Read | undefined> {
    try {
      const update = await decode(packed, mark)
      lastFault = undefined
      return update
    } catch (error) {
      refuse((error as Error).message)
      return undefined
    }
  }

  async function* readPools(pools: DecodedUpdate['pools']): DecodedUpdate['pools'] {
    try {
      yield* pools
    } catch (error) {
      refuse((error as Error).message)
      throw error
    }
  }

  function refuse(fault: string): void {
    if (fault !== lastFault) logger?.warn({ fault }, 'what another host has written cannot be read')
    lastFault = fault
  }

  /** An invalid entry counts as the leader's exit. */
  async function toStoredEntry([id, fields]: RawEntry): Promise<StoredEntry> {
    const found = toRecord(fields)
    if (found.hash === undefined) return { id: String(id) }
    const head = parseEntry(found)
    if (!head.success) {
      refuse('It is an entry without a block, an age or a request.')
      return { id: String(id) }
    }
    const update = found.update && (await read(decodeSnapshot, found.update))
    return { id: String(id), ...head.data, ...(update === undefined ? {} : { update }) }
  }

  const toStoredEntries = (entries: RawEntry[]) => Promise.all(entries.map(toStoredEntry))

  /** Adds the age by Redis's clock. */
  async function addAges(entries: RawEntry[]): Promise<StoredEntry[]> {
    const [seconds, micros] = ((await redis.ask(['TIME'])) as Buffer[]).map(Number) as [number, number]
    const now = seconds * 1_000 + micros / 1_000
    return (await toStoredEntries(entries)).map(({ ageMs = 0, ...entry }) => ({
      ...entry,
      ageMs: ageMs + Math.max(0, now - timeOf(entry.id)),
    }))
  }

  return {
    async claim() {
      const args = ['EVAL', scripts.claim, '1', lease, me, String(lockMs)]
      return (await redis.ask(args)) === 1
    },

    async renew() {
      return (await redis.ask(['EVAL', scripts.renew, '1', lease, me, String(lockMs)])) === 1
    },

    async leaseMs() {
      return Math.max(0, Number(await redis.ask(['PTTL', lease])))
    },

    async release() {
      await redis.ask(['EVAL', scripts.release, '2', lease, log, me])
    },

    async write(entry) {
      const fields = await fieldsOf(entry)
      const args = ['EVAL', scripts.write, '2', lease, log, me, String(lockMs), ...fields]
      return (await redis.ask(args)) !== null
    },

    async writeSnapshot(entry, update) {
      const packed = await encodeSnapshot(update, mark)
      const fields = await fieldsOf(entry)
      const keys = ['3', lease, log, snapshot]
      const args = ['EVAL', scripts.writeSnapshot, ...keys, me, String(lockMs), packed, ...fields]
      return (await redis.carry(args)) !== null
    },

    async readSnapshot() {
      const args = ['EVAL', scripts.readSnapshot, '1', snapshot, String(maxPackedBytes)]
      const [id, data] = (await redis.carry(args)) as (Buffer | null)[]
      if (id && !data) refuse(`It has more than ${maxPackedBytes} bytes.`)
      const all = id && isStreamId(String(id)) && data && (await read(readSnapshot, data))
      return all ? { id: String(id), whole: { ...all, pools: readPools(all.pools) } } : undefined
    },

    async entriesFrom(id) {
      const found: StoredEntry[] = []
      for (let from = id; found.length < maxEntries; from = `(${found.at(-1)?.id}`) {
        const page = ['XRANGE', log, from, '+', 'COUNT', String(entriesPerPage)]
        const entries = (await redis.carry(page)) as RawEntry[]
        found.push(...(await addAges(entries)))
        if (entries.length < entriesPerPage) return found
      }
      refuse(`There are more than ${maxEntries} entries.`)
      return found
    },

    async nextEntries(id, ms) {
      return toStoredEntries(await readStream(redis, log, id, ms))
    },

    async lastEntry() {
      const last = await addAges((await redis.ask(['XREVRANGE', log, '+', '-', 'COUNT', '1'])) as RawEntry[])
      return last[0]
    },

    async request(what) {
      const id = await redis.ask(['XADD', requests, 'MAXLEN', '~', '1000', '*', 'what', what])
      await redis.ask(['PEXPIRE', requests, String(keptMs)])
      return String(id)
    },

    async requestTokens(what, wants) {
      const list = wants.map((want) => want.join('-')).join()
      await redis.ask(['XADD', requests, 'MAXLEN', '~', '1000', '*', 'what', what, 'wants', list])
      await redis.ask(['PEXPIRE', requests, String(keptMs)])
    },

    async nextRequests(id, ms) {
      return (await readStream(redis, requests, id, ms)).map(toStoredRequest)
    },

    async lastRequest() {
      const last = (await redis.ask(['XREVRANGE', requests, '+', '-', 'COUNT', '1'])) as RawEntry[]
      return last[0] ? String(last[0][0]) : logStart
    },
  }
}

const entriesPerPage = 64
/** Several hours without changes. */
const maxEntries = 50_000

async function readStream(redis: Redis, stream: string, id: string, ms: number): Promise<RawEntry[]> {
  const command = [
    ...['XREAD', 'COUNT', String(entriesPerPage), 'BLOCK', String(Math.floor(ms))],
    ...['STREAMS', stream, id],
  ]
  const answer = await redis.wait(command, ms)
  return (answer as [Buffer, RawEntry[]][] | null)?.[0]?.[1] ?? []
}
