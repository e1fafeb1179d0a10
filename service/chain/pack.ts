import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import { createDeflate, inflate } from 'node:zlib'
import { z } from 'zod'
import type { ChainConfig } from '../config.ts'
import type { Standing } from '../pools/kind.ts'
import { kinds } from '../pools/kinds.ts'
import { wantedTokens } from './finder.ts'
import type { Update } from './update.ts'

/** To be raised when a kind's listing or state takes another shape: what was packed before is then not read any more. */
export const packVersion = 1

/**
 * Whose pools they are: `{chain}:{hash}`. Two configs have the same mark when they know the same pools and describe them in the same
 * way, whatever else they say.
 */
export function markOf(config: ChainConfig): string {
  const { chainId, vault, factories } = config
  const sorted = [...factories].sort((a, b) => (a.address < b.address ? -1 : 1))
  const known = sorted.map(({ kind, source, address, feePpm, fromBlock }) => [
    kind,
    source,
    address,
    feePpm,
    fromBlock,
  ])
  const facts = JSON.stringify([packVersion, chainId, vault, known, [...(wantedTokens(config) ?? [])].sort()])
  return `${chainId}:${createHash('sha256').update(facts).digest('hex').slice(0, 16)}`
}

/** An update as bytes: one line that says what follows, and that compressed. */
export async function pack(update: Update, mark: string): Promise<Buffer> {
  const body = await buffer(Readable.from(parts(update)).pipe(createDeflate({ level: 1 })))
  return Buffer.concat([Buffer.from(`sluice-pools ${mark} ${digestOf(body)}\n`), body])
}

/** The update that was packed. Throws an Error with one sentence when it is another config's, damaged, or no update at all. */
export async function unpack(bytes: Buffer, mark: string): Promise<Update> {
  const end = bytes.indexOf('\n')
  const line = bytes.toString('latin1', 0, Math.min(end, longestLine))
  const [, found, digest] = /^sluice-pools (\S+) (\S+)$/.exec(line) ?? []
  if (found === undefined) throw new Error('It is not what pools are kept as.')
  if (found !== mark) throw new Error(`It is of ${found}, another config's or version's, not of ${mark}.`)
  const body = bytes.subarray(end + 1)
  if (digestOf(body) !== digest) throw new Error('It is damaged.')

  const [first, ...rest] = split(await promisify(inflate)(body))
  const head = headShape.safeParse(first && deserialize(first))
  if (!head.success) throw new Error('It begins with no block.')
  const pools: Standing[] = []
  for (const part of rest) {
    const found: unknown = deserialize(part)
    if (!Array.isArray(found) || !found.every(isStanding))
      throw new Error('It holds something that is no pool.')
    pools.push(...found)
    await setImmediate()
  }
  return { ...head.data, pools }
}

/** Pools that are worked on before others get a turn: answers must not wait for a whole chain's. */
const slice = 500

const longestLine = 200

const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)])

const headShape = z.object({
  after: hash.exactOptional(),
  block: z.object({
    number: z.bigint(),
    hash,
    parentHash: hash,
    timestamp: z.bigint(),
    baseFeePerGas: z.bigint(),
  }),
  tip: z.bigint(),
})

/** What a kind has written is the kind's own, and the digest vouches for it. */
function isStanding(data: unknown): data is Standing {
  const listing = (data as Partial<Standing> | null)?.listing
  return (
    listing !== undefined && Object.hasOwn(kinds, listing.kind) && /^0x[0-9a-f]{40}$/.test(listing.address)
  )
}

function digestOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex')
}

/** The head and then the pools, each part after its length. */
async function* parts({ pools, ...head }: Update): AsyncGenerator<Buffer> {
  yield* measured(serialize(head))
  for (let i = 0; i < pools.length; i += slice) {
    yield* measured(serialize(pools.slice(i, i + slice)))
    await setImmediate()
  }
}

function measured(part: Buffer): [Buffer, Buffer] {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(part.length)
  return [length, part]
}

function split(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32LE(at)
    parts.push(bytes.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return parts
}
