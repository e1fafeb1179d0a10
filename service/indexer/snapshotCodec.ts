import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'
import { createDeflate, createInflate } from 'node:zlib'
import type { ChainConfig } from '../config.ts'
import type { PoolSnapshot } from '../pools/poolType.ts'
import { poolTypes } from '../pools/registry.ts'
import { isAddress, isList, isRecord } from '../pools/valid.ts'
import { packPool, unpackPool } from '../snapshot/packedPool.ts'
import { createWordWriter, type WordReader } from '../snapshot/wordCodec.ts'
import { baseTokens } from './poolDiscovery.ts'
import { headShape } from './snapshotHead.ts'
import { measured, readParts } from './snapshotParts.ts'
import type { DecodedUpdate, StreamedUpdate, Update } from './update.ts'

/** Increment when the format changes. */
export const snapshotVersion = 5

/**
 * Returns `{chain}:{hash}` of the config fields that determine the pools, without the token list: a state
 * names its tokens.
 */
export function configHash(config: ChainConfig): string {
  const { chainId, vault, factories } = config
  const bases = config.pools === 'listed' ? baseTokens(config).sort() : []
  const sorted = [...factories].sort((a, b) => (a.address < b.address ? -1 : 1))
  const known = sorted.map(({ kind, source, address, feePpm, fromBlock, form, holder }) => [
    kind,
    source,
    address,
    feePpm,
    fromBlock,
    ...(form === undefined ? [] : [form, holder]),
  ])
  const facts = JSON.stringify([snapshotVersion, chainId, vault, known, config.pools === 'listed', bases])
  return `${chainId}:${createHash('sha256').update(facts).digest('hex').slice(0, 16)}`
}

/** Encodes an update: a header line, then compressed parts. Reads the first pool before it returns. */
export async function encodeSnapshot(update: StreamedUpdate, mark: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  const digest = await compress(update, async (piece) => void pieces.push(piece))
  return Buffer.concat([headerOf(mark, digest), ...pieces])
}

/** Writes an encoded update to an empty file, piece by piece. The header comes last, as it has the digest. */
export async function writeSnapshot(file: FileHandle, update: StreamedUpdate, mark: string): Promise<void> {
  let at = headerOf(mark, '0'.repeat(64)).length
  const digest = await compress(update, async (piece) => {
    await file.write(piece, 0, piece.length, at)
    at += piece.length
  })
  await file.write(headerOf(mark, digest), 0, null, 0)
}

/** Passes on the body in pieces and returns its digest. */
async function compress(update: StreamedUpdate, take: (piece: Buffer) => Promise<void>): Promise<string> {
  const pools = update.pools[Symbol.iterator]()
  const packed = Readable.from(parts(update, pools, pools.next()))
  const hash = createHash('sha256')
  await pipeline(packed, createDeflate({ level: 1 }), async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) {
      hash.update(piece)
      await take(piece)
    }
  })
  return hash.digest('hex')
}

function headerOf(mark: string, digest: string): Buffer {
  return Buffer.from(`sluice-pools ${mark} ${digest}\n`)
}

export type PoolReaders = { createInflate: typeof createInflate; deserialize: typeof deserialize }

/** Decodes untrusted bytes: limits sizes and validates each pool. Throws an Error with one sentence. */
export async function decodeSnapshot(bytes: Buffer, mark: string, readers?: PoolReaders): Promise<Update> {
  const { pools, ...head } = await readSnapshot(bytes, mark, readers)
  const all: PoolSnapshot[] = []
  for await (const some of pools) for (const pool of some) all.push(pool)
  return { ...head, pools: all }
}

/** Like `decodeSnapshot`, but pools are decoded, validated, and may throw, while they are read. */
export async function readSnapshot(
  bytes: Buffer,
  mark: string,
  readers: PoolReaders = { createInflate, deserialize },
): Promise<DecodedUpdate> {
  if (bytes.length > maxPackedBytes) throw new Error(`It has more than ${maxPackedBytes} bytes.`)
  const end = bytes.indexOf('\n')
  const line = bytes.toString('latin1', 0, Math.min(end, maxLine))
  const [, found, digest] = /^sluice-pools (\S+) (\S+)$/.exec(line) ?? []
  if (found === undefined) throw new Error('It is not what pools are kept as.')
  if (found !== mark) throw new Error(`It is of ${found}, another config's or version's, not of ${mark}.`)
  const body = bytes.subarray(end + 1)
  if ((await digestOf(body)) !== digest) throw new Error('It is damaged.')

  const packed = readParts(body, readers.createInflate)
  const { value: first, done } = await packed.next()
  const head = headShape.safeParse(done === true ? undefined : read(first, readers))
  if (!head.success) {
    await packed.return(undefined)
    throw new Error('It begins with no block.')
  }
  return { ...head.data, pools: unpackAll(packed) }
}

async function* unpackAll(packed: AsyncIterable<Buffer>): AsyncGenerator<readonly PoolSnapshot[]> {
  for await (const part of packed) {
    // Limits the number of parts, as none is empty.
    const found = part.length === 0 ? undefined : unpackPools(part)
    if (found === undefined) throw new Error('It holds something that is no pool.')
    yield found
    await setImmediate()
  }
}

/** Undefined if something is no valid pool. */
function unpackPools(part: Buffer): readonly PoolSnapshot[] | undefined {
  if (part.length % 4 !== 0) return undefined
  // A copy, as words must be aligned.
  const from: WordReader = { words: new Uint32Array(new Uint8Array(part).buffer), at: 0 }
  const found: PoolSnapshot[] = []
  try {
    while (from.at < from.words.length) {
      const pool: unknown = unpackPool(from, maxTokens)
      if (!isValidPool(pool)) return undefined
      found.push(pool)
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
  return found
}

/** Several times 100,000 pools. */
export const maxPackedBytes = 64 * 2 ** 20

/** Pools, and words, per part. */
const slice = 200
const wholePart = 2 ** 15
/** Pools, and words, per turn of the event loop. */
const turnPools = 40
const turnWords = 2 ** 13

const maxLine = 200

/** An invalid state could make a search fail or never end. */
export function isValidPool(data: unknown): data is PoolSnapshot {
  if (!isRecord(data) || !isRecord(data.listing)) return false
  const { kind, source, address, tokens } = data.listing
  return (
    typeof kind === 'string' &&
    Object.hasOwn(poolTypes, kind) &&
    typeof source === 'string' &&
    source.length <= 100 &&
    isAddress(address) &&
    isList(tokens, maxTokens, isAddress) &&
    tokens.length >= 2 &&
    new Set(tokens).size === tokens.length &&
    poolTypes[kind as PoolSnapshot['listing']['kind']].isValid(tokens.length, data.listing.fixed, data.state)
  )
}

/** Balancer's maximum. */
const maxTokens = 50

/** V8's errors may contain data. */
function read(part: Buffer, { deserialize }: PoolReaders): unknown {
  try {
    return deserialize(part)
  } catch {
    throw new Error('It holds something that cannot be read.')
  }
}

/** In steps, each of half a millisecond, as a whole snapshot takes a tenth of a second. */
async function digestOf(body: Buffer): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < body.length; at += hashedBytes) {
    hash.update(body.subarray(at, at + hashedBytes))
    await setImmediate()
  }
  return hash.digest('hex')
}

const hashedBytes = 2 ** 18

/** The head, then the pools; each part after its length. */
async function* parts(
  { after, block, tip, l1ByteFee, tokens, gone }: StreamedUpdate,
  pools: Iterator<PoolSnapshot>,
  first: IteratorResult<PoolSnapshot>,
): AsyncGenerator<Buffer> {
  const changes = { ...(tokens && { tokens }), ...(gone && { gone }) }
  const facts = { ...(l1ByteFee !== undefined && { l1ByteFee }), ...changes }
  const head = { ...(after === undefined ? {} : { after }), block, tip, ...facts }
  try {
    yield* measured(serialize(head))
    const out = createWordWriter()
    let begun = 0
    for (let next = first, count = 0; next.done !== true; ) {
      packPool(out, next.value)
      count++
      if (count % turnPools === 0 || out.length - begun >= turnWords) {
        await setImmediate()
        begun = out.length
      }
      next = pools.next()
      if (next.done !== true && count % slice !== 0 && out.length < wholePart) continue
      yield* measured(Buffer.from(new Uint8Array(out.words.buffer, 0, out.length * 4)))
      out.length = 0
      begun = 0
      await setImmediate()
    }
  } finally {
    pools.return?.()
  }
}
