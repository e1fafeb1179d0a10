import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { type RedisServer, startRedis } from '../../../dev/redis.ts'
import { createSharedFeed } from '../../../service/cluster/feed.ts'
import { connectRedis, type Redis } from '../../../service/cluster/redis.ts'
import { createPoolState } from '../../../service/indexer/poolState.ts'
import { configHash } from '../../../service/indexer/snapshotCodec.ts'
import { createLog } from '../../../service/log.ts'
import { slow } from '../../helpers/slow.ts'

slow('Services, and Redis, run as processes of their own.')

let localnet: Localnet
let server: RedisServer
let attacker: Redis
const stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  localnet = await createLocalnet()
  server = await startRedis()
  attacker = connectRedis(server.url, { patienceMs: 60_000 })
  await attacker.there()
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await attacker.ask(['FLUSHALL'])
})
afterAll(async () => {
  attacker.stop()
  await server.stop()
  await localnet.stop()
})

async function startHost() {
  const redis = connectRedis(server.url, { patienceMs: 20_000, retryMs: 50 })
  const ledger = createPoolState()
  const faults: string[] = []
  const log = createLog({
    level: 'warn',
    to: { write: (line) => faults.push(`${JSON.parse(line).msg}: ${JSON.parse(line).fault}`) },
  })
  const options = { ledger, log, pollMs: 20, lockMs: 10_000, patienceMs: 60_000 }
  const feed = createSharedFeed(localnet.config, localnet.rpcUrl, redis, options)
  stops.push(async () => {
    await feed.stop()
    redis.stop()
  })
  await feed.start(async () => undefined)
  return { ledger, feed, faults }
}

const keyOf = (name: string) => `sluice:${configHash(localnet.config)}:${name}`

function sealed(inflated: Buffer): Buffer {
  const body = deflateSync(inflated, { level: 9 })
  const digest = createHash('sha256').update(body).digest('hex')
  return Buffer.concat([Buffer.from(`sluice-pools ${configHash(localnet.config)} ${digest}\n`), body])
}

const hash = `0x${'ab'.repeat(32)}`
let made: Buffer | undefined

/** Inflates from half a megabyte to half a gigabyte. */
function bomb(): Buffer {
  made ??= sealed(Buffer.alloc(500_000_000))
  return made
}

async function newest({ ledger }: Awaited<ReturnType<typeof startHost>>): Promise<void> {
  const number = await localnet.client.getBlockNumber()
  await expect.poll(() => ledger.block()?.number, { interval: 20, timeout: 60_000 }).toBe(number)
}

it.each([
  ['a bomb', bomb],
  ['something else', () => Buffer.from('rubbish')],
  ['more than a value may have', () => Buffer.alloc(70 * 2 ** 20)],
  ['empty', () => Buffer.alloc(0)],
])('keeps followers in step with the leader when the snapshot in Redis is %s', async (_kind, make) => {
  const reader = await startHost()
  const follower = await startHost()
  await Promise.all([newest(reader), newest(follower)])
  await attacker.carry(['HSET', keyOf('whole'), 'data', make()])
  // Without a predecessor, a follower reads everything again.
  await attacker.ask(['XADD', keyOf('notes'), '*', 'hash', hash, 'age', '0', 'asked', ''])
  await localnet.client.mine({ blocks: 1 })
  await Promise.all([newest(reader), newest(follower)])
  const third = await startHost()
  await newest(third)
  expect(third.ledger.whole()).toEqual(reader.ledger.whole())
  for (const { faults } of [follower, third]) expect(faults.length).toBeLessThanOrEqual(2)
})

it('ignores updates in Redis with a decompression bomb, a future age, no block or unknown fields', async () => {
  const reader = await startHost()
  const follower = await startHost()
  await newest(follower)
  const before = follower.ledger.whole()
  const add = (...fields: (string | Buffer)[]) => attacker.ask(['XADD', keyOf('notes'), '*', ...fields])
  await add('hash', hash, 'age', '0', 'asked', '', 'update', bomb())
  await add('hash', before!.block.hash, 'age', '-1e15', 'asked', '')
  await add('hash', before!.block.hash, 'age', 'soon', 'asked', '')
  await add('hash', 'x'.repeat(100_000), 'age', '0', 'asked', '9-9-9')
  await add('a', 'b')
  expect(follower.ledger.whole()).toEqual(before)
  await localnet.client.mine({ blocks: 1 })
  await Promise.all([newest(reader), newest(follower)])
  expect(follower.ledger.whole()).toEqual(reader.ledger.whole())
  expect(follower.feed.checked().at ?? 0).toBeLessThanOrEqual(Date.now())
})

it('reads its own RPC when the keys in Redis hold values of other types', async () => {
  for (const name of ['whole', 'notes', 'asks', 'reader']) await attacker.ask(['LPUSH', keyOf(name), 'x'])
  const host = await startHost()
  await newest(host)
  await localnet.client.mine({ blocks: 1 })
  await newest(host)
  expect(host.faults.length).toBeLessThanOrEqual(4)
})
