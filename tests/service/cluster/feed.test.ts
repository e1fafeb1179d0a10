import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { send } from '../../../dev/chain/client.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { type RedisServer, startRedis } from '../../../dev/redis.ts'
import { createSharedFeed } from '../../../service/cluster/feed.ts'
import { connectRedis } from '../../../service/cluster/redis.ts'
import { createChain } from '../../../service/indexer/chain.ts'
import type { Feed } from '../../../service/indexer/nodeFeed.ts'
import { createPoolState, type PoolState } from '../../../service/indexer/poolState.ts'
import { configHash } from '../../../service/indexer/snapshotCodec.ts'
import type { StreamedUpdate, Update } from '../../../service/indexer/update.ts'
import { type Fault, startFaultyNode } from '../../helpers/node/faultyNode.ts'
import { readPools, statesOf } from '../../helpers/service/poolStates.ts'
import { slow } from '../../helpers/slow.ts'

slow('Services, and Redis, run as processes of their own.')

const pairAbi = parseAbi([
  'function token0() view returns (address)',
  'function transfer(address, uint256)',
  'function sync()',
])

let localnet: Localnet
let server: RedisServer
let hosts: Host[] = []

beforeAll(async () => {
  localnet = await createLocalnet()
  server = await startRedis()
})
afterEach(async () => {
  for (const host of hosts) await host.stop()
  hosts = []
  await tellRedis('FLUSHALL')
})
afterAll(async () => {
  await server.stop()
  await localnet.stop()
})

type Host = {
  ledger: PoolState
  taken: (Update | StreamedUpdate)[]
  feed: Feed
  asked(): number
  /** Like a power loss. */
  die(): Promise<void>
  stop(): Promise<void>
}

/** For tests that wait for the lock to expire. */
const soon = 600

type HostOptions = {
  fault?: Fault
  /** Long, so that a leader on a busy machine stays leader. Followers wait half as long for an update. */
  lockMs?: number
  patienceMs?: number
  /** Polls on the chain's schedule, instead of all the time. */
  blockSeconds?: number
}

async function startHost({
  fault = () => undefined,
  lockMs = 10_000,
  patienceMs = 20_000,
  blockSeconds,
}: HostOptions = {}): Promise<Host> {
  let asked = 0
  const node = await startFaultyNode(localnet.rpcUrl, (question) => {
    asked++
    return fault(question)
  })
  const redis = connectRedis(server.url, { patienceMs, retryMs: 50 })
  const ledger = createPoolState()
  const taken: (Update | StreamedUpdate)[] = []
  const options = { ledger, lockMs, patienceMs: 60_000 }
  const feed =
    blockSeconds === undefined
      ? createSharedFeed(localnet.config, node.url, redis, { ...options, pollMs: 20 })
      : createSharedFeed({ ...localnet.config, blockSeconds }, node.url, redis, options)
  const take = async (update: Update | StreamedUpdate) => void taken.push(update)
  const host: Host = {
    ledger,
    taken,
    feed,
    asked: () => asked,
    async die() {
      redis.stop()
      await host.stop()
    },
    async stop() {
      hosts = hosts.filter((one) => one !== host)
      await feed.stop()
      redis.stop()
      await node.stop()
    },
  }
  hosts.push(host)
  await feed.start(take)
  return host
}

async function tellRedis(...command: string[]): Promise<unknown> {
  const redis = connectRedis(server.url, { patienceMs: 30_000, retryMs: 20 })
  await redis.there()
  return redis.ask(command).finally(() => redis.stop())
}

const keyOf = (name: string) => `sluice:${configHash(localnet.config)}:${name}`

async function poolsNow() {
  return statesOf(await readPools(localnet.config, createChain(localnet.rpcUrl, localnet.config.multicall)))
}

async function donate(): Promise<void> {
  const pool = localnet.pools.find(({ title }) => title.includes('v2'))!.address
  const token = await localnet.client.readContract({ address: pool, abi: pairAbi, functionName: 'token0' })
  const give = encodeFunctionData({ abi: pairAbi, functionName: 'transfer', args: [pool, 1_000n] })
  await send(localnet.client, { to: token, data: give })
  await send(localnet.client, { to: pool, data: encodeFunctionData({ abi: pairAbi, functionName: 'sync' }) })
}

async function newest(host: Host): Promise<void> {
  const number = await localnet.client.getBlockNumber()
  await expect.poll(() => host.ledger.block()?.number, { interval: 5 }).toBe(number)
}

async function startHosts(count = 2, options: HostOptions = {}): Promise<Host[]> {
  const started: Host[] = []
  for (let i = 0; i < count; i++) started.push(await startHost(options))
  await Promise.all(started.map(newest))
  return started
}

it('reads the chain on the leader only and gives a follower the same state', async () => {
  const [reader, follower] = (await startHosts()) as [Host, Host]
  expect(reader.taken).toHaveLength(1)
  await localnet.fund(localnet.accounts[0]!.address)
  await donate()
  await Promise.all([newest(reader), newest(follower)])
  expect(follower.ledger.whole()).toEqual(reader.ledger.whole())
  expect(statesOf(follower.ledger)).toEqual(await poolsNow())
  expect(follower.taken.slice(1).every(({ after }) => after !== undefined)).toBe(true)
  expect(reader.asked()).toBeGreaterThan(10)
  expect(follower.asked()).toBe(0)
})

it('brings a follower to the newest block on refresh and records the time of the check', async () => {
  const [, follower] = (await startHosts()) as [Host, Host]
  for (let i = 0; i < 3; i++) {
    await localnet.client.mine({ blocks: 1 })
    const before = Date.now()
    await Promise.all([follower.feed.refresh(), follower.feed.refresh()])
    expect(follower.ledger.block()!.number).toBe(await localnet.client.getBlockNumber())
    expect(follower.feed.checked().at).toBeGreaterThanOrEqual(before - 5)
  }
})

it('writes heartbeats between polls that are an hour apart, and polls when a follower asks', async () => {
  const [reader, follower] = (await startHosts(2, { lockMs: 1_500, blockSeconds: 3_600 })) as [Host, Host]
  await expect.poll(follower.feed.checked).toMatchObject({ at: expect.any(Number), everyMs: 3_600_000 })
  const length = () => tellRedis('XLEN', keyOf('notes')).then(Number)
  await donate()
  await follower.feed.refresh()
  expect(statesOf(follower.ledger)).toEqual(await poolsNow())
  const asked = reader.asked()
  const before = await length()
  await expect.poll(length, { timeout: 10_000 }).toBeGreaterThan(before + 2)
  // The localnet's head may be older than an hour: then one poll follows the first.
  expect(reader.asked() - asked).toBeLessThan(2)
  expect(follower.asked()).toBe(0)
})

it('elects one new leader when the leader crashes', async () => {
  // Short enough to wait for, long enough for the new leader to keep it.
  const [reader, second, third] = (await startHosts(3, { lockMs: 8_000 })) as [Host, Host, Host]
  await reader.die()
  await donate()
  const [refreshed] = await Promise.all([second.feed.refresh(), newest(second), newest(third)])
  expect(refreshed).toBeUndefined()
  expect([second.asked() > 0, third.asked() > 0].filter(Boolean)).toHaveLength(1)
  expect(statesOf(second.ledger)).toEqual(await poolsNow())
  expect(statesOf(third.ledger)).toEqual(await poolsNow())
  expect(second.taken.filter(({ after }) => after === undefined)).toHaveLength(1)
})

it('hands over to a follower when the leader stops', async () => {
  const [reader, follower] = (await startHosts()) as [Host, Host]
  await reader.stop()
  await expect.poll(follower.asked, { interval: 5 }).toBeGreaterThan(0)
})

it('hands over to a follower when the RPC of the leader fails', async () => {
  let isBroken = false
  const reader = await startHost({ fault: () => (isBroken ? 503 : undefined), lockMs: soon })
  const follower = await startHost({ lockMs: soon })
  isBroken = true
  await localnet.client.mine({ blocks: 1 })
  await newest(follower)
  await newest(reader)
  expect(follower.asked()).toBeGreaterThan(0)
})

it('recovers from deleted or damaged data in Redis through the leader, without RPC requests by followers', async () => {
  const [reader, follower] = (await startHosts()) as [Host, Host]
  await tellRedis('SET', keyOf('whole'), 'rubbish')
  await tellRedis('DEL', keyOf('notes'), keyOf('whole'))
  await donate()
  await newest(follower)
  await tellRedis('HSET', keyOf('whole'), 'data', 'rubbish')
  const third = await startHost()
  await newest(third)
  expect(third.ledger.whole()).toEqual(reader.ledger.whole())
  expect(third.asked() + follower.asked()).toBe(0)
})

it('starts from the snapshot in Redis after all services have stopped', async () => {
  const [reader, follower] = (await startHosts()) as [Host, Host]
  await reader.stop()
  await follower.stop()
  await donate()
  const late = await startHost()
  await newest(late)
  expect(late.taken.map(({ after }) => after === undefined)).toEqual([true, false])
  expect(statesOf(late.ledger)).toEqual(await poolsNow())
})

it('follows the leader when its chain goes back to an earlier block', async () => {
  const id = await localnet.client.snapshot()
  const [reader, follower] = (await startHosts()) as [Host, Host]
  await donate()
  await newest(follower)
  await localnet.client.revert({ id })
  await follower.feed.refresh()
  expect(follower.ledger.whole()).toEqual(reader.ledger.whole())
  expect(statesOf(follower.ledger)).toEqual(await poolsNow())
})

it('reads the chain on every service while Redis is down, and on the leader only once it is back', async () => {
  const [reader, follower] = (await startHosts(2, { lockMs: soon })) as [Host, Host]
  const port = Number(new URL(server.url).port)
  await server.stop()
  await donate()
  await Promise.all([reader.feed.refresh(), follower.feed.refresh()])
  expect(statesOf(follower.ledger)).toEqual(await poolsNow())
  expect(follower.asked()).toBeGreaterThan(0)

  server = await startRedis(port)
  await expect.poll(() => tellRedis('EXISTS', keyOf('whole'))).toBe(1)
  const quiet = () =>
    Promise.all(
      [reader, follower].map(async (host) => {
        const before = host.asked()
        await new Promise((resolve) => setTimeout(resolve, 100))
        return host.asked() === before
      }),
    )
  await expect.poll(async () => (await quiet()).filter(Boolean).length).toBe(1)
  await donate()
  await Promise.all([reader, follower].map(newest))
})

it('refreshes from its own RPC when Redis accepts connections but does not answer', async () => {
  const [, follower] = (await startHosts(2, { patienceMs: 500 })) as [Host, Host]
  process.kill(server.pid, 'SIGSTOP')
  try {
    await donate()
    await follower.feed.refresh()
    expect(statesOf(follower.ledger)).toEqual(await poolsNow())
  } finally {
    process.kill(server.pid, 'SIGCONT')
  }
})
