import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'
import { createDeflate, createInflate } from 'node:zlib'
import { z } from 'zod'
import type { ChainConfig } from '../config.ts'
import type { PoolSnapshot } from '../pools/poolType.ts'
import { kinds } from '../pools/registry.ts'
import { isAddress, isList, isRecord } from '../pools/valid.ts'
import { wantedTokens } from './poolDiscovery.ts'
import type { Update } from './update.ts'

/** To be raised when a kind's listing or state takes another shape: what was packed before is then not read any more. */
export const snapshotVersion = 1

/**
 * Whose pools they are: `{chain}:{hash}`. Two configs have the same mark when they know the same pools and describe them in the same
 * way, whatever else they say.
 */
export function configHash(config: ChainConfig): string {
  const { chainId, vault, factories } = config
  const sorted = [...factories].sort((a, b) => (a.address < b.address ? -1 : 1))
  const known = sorted.map(({ kind, source, address, feePpm, fromBlock }) => [
    kind,
    source,
    address,
    feePpm,
    fromBlock,
  ])
  const facts = JSON.stringify([
    snapshotVersion,
    chainId,
    vault,
    known,
    [...(wantedTokens(config) ?? [])].sort(),
  ])
  return `${chainId}:${createHash('sha256').update(facts).digest('hex').slice(0, 16)}`
}

/** An update as bytes: one line that says what follows, and that compressed. */
export async function encodeSnapshot(update: Update, mark: string): Promise<Buffer> {
  const body = await buffer(Readable.from(parts(update)).pipe(createDeflate({ level: 1 })))
  return Buffer.concat([Buffer.from(`sluice-pools ${mark} ${digestOf(body)}\n`), body])
}

/** Node's functions that read packed bytes. */
export type PoolReaders = { createInflate: typeof createInflate; deserialize: typeof deserialize }

/**
 * Returns the packed update. `bytes` and their digest are untrusted: sizes are bounded while inflating, and each pool
 * is checked. Throws an Error with one sentence for another config's update, and for a damaged, too large or missing one.
 */
export async function decodeSnapshot(
  bytes: Buffer,
  mark: string,
  readers: PoolReaders = { createInflate, deserialize },
): Promise<Update> {
  if (bytes.length > maxPackedBytes) throw new Error(`It has more than ${maxPackedBytes} bytes.`)
  const end = bytes.indexOf('\n')
  const line = bytes.toString('latin1', 0, Math.min(end, longestLine))
  const [, found, digest] = /^sluice-pools (\S+) (\S+)$/.exec(line) ?? []
  if (found === undefined) throw new Error('It is not what pools are kept as.')
  if (found !== mark) throw new Error(`It is of ${found}, another config's or version's, not of ${mark}.`)
  const body = bytes.subarray(end + 1)
  if (digestOf(body) !== digest) throw new Error('It is damaged.')

  let head: z.output<typeof headShape> | undefined
  const pools: PoolSnapshot[] = []
  for await (const part of split(inflated(body, readers))) {
    if (head === undefined) {
      const parsed = headShape.safeParse(read(part, readers))
      if (!parsed.success) throw new Error('It begins with no block.')
      head = parsed.data
      continue
    }
    const found = read(part, readers)
    // Bounds the number of parts by the bytes: `encodeSnapshot` writes none without pools.
    if (!isList(found, slice, isStanding) || found.length === 0)
      throw new Error('It holds something that is no pool.')
    pools.push(...found)
    await setImmediate()
  }
  if (head === undefined) throw new Error('It begins with no block.')
  return { ...head, pools }
}

/** Bytes of the largest value that is read: several times those of 100,000 pools. */
export const maxPackedBytes = 64 * 2 ** 20
const maxInflatedBytes = 256 * 2 ** 20
/** Pools are deflated to about a fifth. A value that claims to be so much more is no list of pools. */
const maxRatio = 100
/** Of one part, which is held in memory as a whole. Parts are written smaller than half of that. */
const maxPartBytes = 32 * 2 ** 20

/** Pools that are worked on before others get a turn: answers must not wait for a whole chain's. */
const slice = 500

const longestLine = 200

/** A count of seconds or blocks, and an amount of wei. */
const count = z.bigint().min(0n).max(BigInt(Number.MAX_SAFE_INTEGER))
const wei = z
  .bigint()
  .min(0n)
  .max(2n ** 128n)

const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)])

const headShape = z.object({
  after: hash.exactOptional(),
  block: z.object({
    number: count,
    hash,
    parentHash: hash,
    timestamp: count,
    baseFeePerGas: wei,
  }),
  tip: wei,
})

/** Whether it is a pool that can be computed with: a state that is none would fail, or never end, in the middle of a search. */
function isStanding(data: unknown): data is PoolSnapshot {
  if (!isRecord(data) || !isRecord(data.listing)) return false
  const { kind, source, address, tokens } = data.listing
  return (
    typeof kind === 'string' &&
    Object.hasOwn(kinds, kind) &&
    typeof source === 'string' &&
    source.length <= 100 &&
    isAddress(address) &&
    isList(tokens, maxTokens, isAddress) &&
    tokens.length >= 2 &&
    new Set(tokens).size === tokens.length &&
    kinds[kind as PoolSnapshot['listing']['kind']].isValid(tokens.length, data.listing.fixed, data.state)
  )
}

/** Balancer's pools have 50 tokens at most. */
const maxTokens = 50

/** V8's own errors name nothing that a log should repeat. */
function read(part: Buffer, { deserialize }: PoolReaders): unknown {
  try {
    return deserialize(part)
  } catch {
    throw new Error('It holds something that cannot be read.')
  }
}

function digestOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex')
}

/** The head and then the pools, each part after its length. */
async function* parts({ pools, ...head }: Update): AsyncGenerator<Buffer> {
  yield* measured(serialize(head))
  for (let i = 0; i < pools.length; i += slice) {
    for (const part of serializeAll(pools.slice(i, i + slice))) yield* measured(part)
    await setImmediate()
  }
}

/** Serializes pools together, or in halves where they are too large for one part. */
function* serializeAll(pools: readonly PoolSnapshot[]): Generator<Buffer> {
  const part = serialize(pools)
  if (part.length <= maxPartBytes / 2 || pools.length === 1) return yield part
  const half = pools.length >> 1
  yield* serializeAll(pools.slice(0, half))
  yield* serializeAll(pools.slice(half))
}

function measured(part: Buffer): [Buffer, Buffer] {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(part.length)
  return [length, part]
}

/** Inflates piece by piece. Throws when it becomes more than pools are. */
async function* inflated(body: Buffer, { createInflate }: PoolReaders): AsyncGenerator<Buffer> {
  const most = Math.min(maxInflatedBytes, 2 ** 20 + maxRatio * body.length)
  let size = 0
  // Destroyed by the loop that reads it when that ends early.
  const inflating = createInflate()
  inflating.end(body)
  for await (const piece of inflating as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > most) throw new Error(`It inflates to more than ${most} bytes.`)
    yield piece
  }
}

/** The parts of inflated bytes, each of which is given on as soon as it is whole. */
async function* split(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  let wanted: number | undefined

  const take = (length: number): Buffer => {
    const all = held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held)
    held = [all.subarray(length)]
    size -= length
    return all.subarray(0, length)
  }
  for await (const piece of pieces) {
    held.push(piece)
    size += piece.length
    for (;;) {
      if (wanted === undefined) {
        if (size < 4) break
        wanted = take(4).readUInt32LE()
        if (wanted === 0 || wanted > maxPartBytes) throw new Error(`It has a part of ${wanted} bytes.`)
      }
      if (size < wanted) break
      yield take(wanted)
      wanted = undefined
    }
  }
  if (size > 0 || wanted !== undefined) throw new Error('It ends in the middle of a part.')
}
