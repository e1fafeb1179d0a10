import { createHash } from 'node:crypto'
import { deserialize, serialize } from 'node:v8'
import { createInflate, deflateSync, inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { createChain } from '../../../service/indexer/chain.ts'
import { createPoolState } from '../../../service/indexer/poolState.ts'
import { readUpdate } from '../../../service/indexer/readUpdate.ts'
import {
  configHash,
  decodeSnapshot,
  encodeSnapshot,
  type PoolReaders,
} from '../../../service/indexer/snapshotCodec.ts'
import type { Update } from '../../../service/indexer/update.ts'
import type { PoolSnapshot } from '../../../service/pools/poolType.ts'
import { toPool } from '../../../service/pools/registry.ts'
import { packPool } from '../../../service/snapshot/packedPool.ts'
import { createWordWriter } from '../../../service/snapshot/wordCodec.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

/** Counts work, which bounds the time on any machine. */
function createCountingReaders() {
  const work = { inflated: 0, deserialized: 0, parts: 0 }
  const readers: PoolReaders = {
    createInflate() {
      const inflate = createInflate()
      const push = inflate.push.bind(inflate)
      inflate.push = (piece: Buffer | null) => {
        work.inflated += piece?.length ?? 0
        return push(piece)
      }
      return inflate
    },
    deserialize(part) {
      work.deserialized += part.byteLength
      work.parts++
      return deserialize(part)
    },
  }
  return { work, readers }
}

let localnet: Localnet
let update: Update
let mark: string
let packed: Buffer
beforeAll(async () => {
  localnet = await createLocalnet()
  update = (await readUpdate(
    localnet.config,
    createChain(localnet.rpcUrl, localnet.config.multicall),
    createPoolState(),
  ))!
  mark = configHash(localnet.config)
  packed = await encodeSnapshot(update, mark)
})
afterAll(() => localnet.stop())

/** A correct digest over any bytes. */
function sealed(inflated: Buffer): Buffer {
  const body = deflateSync(inflated, { level: 9 })
  const digest = createHash('sha256').update(body).digest('hex')
  return Buffer.concat([Buffer.from(`sluice-pools ${mark} ${digest}\n`), body])
}

function part(bytes: Buffer, length = bytes.length): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt32LE(length)
  return Buffer.concat([head, bytes])
}

const headOf = ({ pools: _pools, ...head }: Update) => part(serialize(head))
const inflatedOf = (bytes: Buffer) => inflateSync(bytes.subarray(bytes.indexOf('\n') + 1))

function packedPools(pools: readonly PoolSnapshot[]): Buffer {
  const out = createWordWriter()
  for (const pool of pools) packPool(out, pool)
  return Buffer.from(new Uint8Array(out.words.buffer, 0, out.length * 4))
}

function useAll({ pools }: Update): void {
  const ledger = createPoolState()
  ledger.apply({ ...update, pools })
  expect(ledger.restless().length).toBeLessThanOrEqual(pools.length)
  for (const standing of pools) {
    const pool = toPool(standing)
    const [sell, buy] = pool.tokens as [`0x${string}`, `0x${string}`]
    for (const amount of [1n, 10n ** 18n, 2n ** 111n]) {
      expect(typeof pool.quote(sell, buy, amount)).toBe('bigint')
      expect(typeof pool.quote(buy, sell, amount)).toBe('bigint')
      expect(typeof pool.gas(sell, buy, amount)).toBe('bigint')
    }
    for (const curve of [pool.curve(sell, buy), pool.curve(buy, sell)]) {
      expect(typeof curve.bought(1_000)).toBe('number')
      expect(typeof curve.soldAt(curve.slope(0) / 2)).toBe('number')
    }
  }
}

describe('decodeSnapshot: untrusted input', () => {
  it.each([
    ['half a megabyte that inflates to half a gigabyte of nothing', () => sealed(Buffer.alloc(500_000_000))],
    [
      'a block and then half a gigabyte of nothing',
      () => sealed(Buffer.concat([headOf(update), Buffer.alloc(500_000_000)])),
    ],
    [
      'one part of half a gigabyte',
      () => sealed(Buffer.concat([headOf(update), part(Buffer.alloc(500_000_000))])),
    ],
    [
      'the same pools so often that they fill the memory',
      () => {
        const pools = part(packedPools(update.pools))
        const times = Math.ceil(200_000_000 / pools.length)
        return sealed(Buffer.concat([headOf(update), ...Array.from({ length: times }, () => pools)]))
      },
    ],
    [
      'a million parts without pools',
      () => {
        const none = part(Buffer.alloc(4))
        return sealed(Buffer.concat([headOf(update), ...Array.from({ length: 1_000_000 }, () => none)]))
      },
    ],
    ['an empty part', () => sealed(Buffer.concat([headOf(update), part(Buffer.alloc(0))]))],
    ['nothing inside', () => sealed(Buffer.alloc(0))],
    ['a part longer than what follows', () => sealed(part(Buffer.alloc(8), 9))],
    ['a part that claims four gigabytes', () => sealed(part(Buffer.alloc(8), 2 ** 32 - 1))],
    ['half a length', () => sealed(Buffer.concat([headOf(update), Buffer.alloc(3, 1)]))],
    [
      'a pool of four billion words in a few bytes',
      () => sealed(Buffer.concat([headOf(update), part(Buffer.alloc(400, 255))])),
    ],
    ['a part of half a word', () => sealed(Buffer.concat([headOf(update), part(Buffer.alloc(402))]))],
  ])('rejects input with limited work and memory: %s', async (_kind, make) => {
    const bytes = make()
    const before = process.memoryUsage().rss
    const { work, readers } = createCountingReaders()
    let most = 0
    const watching = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss - before)
    }, 5)
    await expect(decodeSnapshot(bytes, mark, readers)).rejects.toThrow(/^It /)
    clearInterval(watching)
    // 20 times the input plus 1 MiB, and 1 MiB for pieces inflated ahead.
    expect(work.inflated).toBeLessThanOrEqual(20 * bytes.length + 2 * 2 ** 20)
    expect(work.deserialized).toBeLessThanOrEqual(work.inflated)
    expect(work.parts).toBeLessThanOrEqual(2 + work.inflated / 100)
    expect(most).toBeLessThan(250_000_000)
  })

  it('rejects a snapshot with one changed byte', async () => {
    const random = createRandom(1)
    for (let i = 0; i < 300; i++) {
      const bytes = Buffer.from(packed)
      const at = random(bytes.length)
      bytes[at] = (bytes[at] ?? 0) ^ (1 + random(255))
      await expect(decodeSnapshot(bytes, mark)).rejects.toThrow(/^It /)
    }
  })

  it('rejects changed content under a valid digest, or returns usable pools', async () => {
    const random = createRandom(2)
    const original = inflatedOf(packed)
    let refused = 0
    for (let i = 0; i < 1_000; i++) {
      const bytes = Buffer.from(original)
      for (let n = random(4); n >= 0; n--) bytes[random(bytes.length)] = random(256)
      const cut = random(10) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes
      const found = await decodeSnapshot(sealed(cut), mark).catch((error: Error) => {
        expect(error.message).toMatch(/^It /)
        refused++
      })
      if (found) useAll(found)
    }
    expect(refused).toBeGreaterThan(300)
  })

  it('rejects a pool with one changed value, or returns usable pools', async () => {
    const random = createRandom(3)
    const hostile = {
      number: [0, -1, 2 ** 31 - 1, -887_273, 16_385, 999_999, 1_000_000],
      bigint: [0n, 1n, -1n, 2n ** 112n, 2n ** 128n, -(2n ** 127n), 2n ** 255n, 2n ** 300n, 10n ** 36n],
      string: [`0x${'0'.repeat(40)}`, `0x${'0'.repeat(64)}`, 'x'.repeat(1_000), '__proto__', ''],
      boolean: [true, false],
    }
    let refused = 0
    for (let i = 0; i < 2_000; i++) {
      const forged = deserialize(serialize(update)) as Update
      const pools = [forged.pools[random(forged.pools.length)]!]
      const places = placesIn(pools)
      const { holder, name } = places[random(places.length)]!
      const value = holder[name]
      const values = Array.isArray(value)
        ? [[], value.slice(1), [...value, ...value]]
        : hostile[typeof value as keyof typeof hostile]
      // Kinds, listings and states have a fixed format.
      if (values === undefined || name === 'kind') continue
      holder[name] = values[random(values.length)]
      const bytes = sealed(Buffer.concat([headOf(forged), part(packedPools(pools))]))
      const found = await decodeSnapshot(bytes, mark).catch((error: Error) => {
        expect(error.message).toMatch(/^It /)
        refused++
      })
      if (found) useAll(found)
    }
    expect(refused).toBeGreaterThan(500)
  })
})

type Holder = Record<string, unknown>

function placesIn(value: object): { holder: Holder; name: string }[] {
  return Object.entries(value).flatMap(([name, member]) => [
    { holder: value as Holder, name },
    ...(typeof member === 'object' && member !== null ? placesIn(member) : []),
  ])
}

/** Deterministic (mulberry32). */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}
