import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { type RedisServer, startRedis } from '../../../dev/redis.ts'
import { createSharedLimiter } from '../../../service/cluster/limiter.ts'
import { connectRedis } from '../../../service/cluster/redis.ts'
import { clientNetworks } from '../../../service/http/clients.ts'
import { createRateLimiter } from '../../../service/http/rateLimiter.ts'
import { createPoolSource } from '../../../service/poolSource.ts'
import type { RunningService } from '../../../service/server.ts'
import { startUnhurried } from '../../helpers/service/unhurriedService.ts'
import { slow } from '../../helpers/slow.ts'

slow('Services, and Redis, run as processes of their own.')

const rate = { perSecond: 0.001, burst: 20 }
/** Long, for busy machines. */
const patienceMs = 60_000

let localnet: Localnet
let redis: RedisServer
let services: RunningService[] = []

beforeAll(async () => {
  localnet = await createLocalnet()
  redis = await startRedis()
  for (let i = 0; i < 2; i++) {
    const place = { config: localnet.config, rpcUrl: localnet.rpcUrl }
    const supply = await createPoolSource({
      ...place,
      redisUrl: redis.url,
      redis: { patienceMs },
      rate,
      feed: { pollMs: 20, patienceMs },
    })
    services.push(await startUnhurried({ ...place, ...supply }))
  }
})
afterAll(async () => {
  for (const service of services) await service.stop()
  services = []
  await redis.stop()
  await localnet.stop()
})

async function ask(amounts: number[]) {
  const path = `/v6.1/31337/quote?src=${localnet.tokens.USDC}&dst=${localnet.tokens.DAI}&includeProtocols=true&amount=`
  return Promise.all(
    services.map(({ url }) =>
      Promise.all(
        amounts.map(async (amount) => {
          const response = await fetch(`${url}${path}${amount}`)
          return { status: response.status, text: await response.text() }
        }),
      ),
    ),
  )
}

it('answers identically on two services and shares the rate limit between them', async () => {
  const amounts = [1_000, 1_000_000, 123_456_789, 1_000_000_000_000, 25_000_000_000_000]
  const [one, other] = await ask(amounts)
  expect(one).toEqual(other)
  expect(one!.every(({ status }) => status === 200)).toBe(true)

  await localnet.client.mine({ blocks: 1 })
  await Promise.all(services.map(({ engine }) => engine.refresh()))
  const [again, there] = await ask([7_000_000])
  expect(again).toEqual(there)

  // Both share the remaining eight of twenty.
  const statuses = (await ask(Array.from({ length: 6 }, (_, i) => 8_000_000 + i)))
    .flat()
    .map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(8)
  expect(statuses.filter((status) => status === 429)).toHaveLength(4)
})

it('answers and follows the chain while Redis is down', async () => {
  await redis.stop()
  const statuses = (await ask([9_000_000])).flat().map(({ status }) => status)
  expect(statuses).toEqual([200, 200])
  await localnet.client.mine({ blocks: 1 })
  await Promise.all(services.map(({ engine }) => engine.refresh()))
  const number = await localnet.client.getBlockNumber()
  expect(services.map(({ engine }) => engine.block()?.number)).toEqual([number, number])
})

it('refills a rate limit shared in Redis over time', async () => {
  const server = await startRedis()
  const hosts = [connectRedis(server.url, { patienceMs }), connectRedis(server.url, { patienceMs })]
  await Promise.all(hosts.map((host) => host.there()))
  const quick = { perSecond: 0.1, burst: 2 }
  const [one, other] = hosts.map((host) =>
    createSharedLimiter(host, 'test', quick, createRateLimiter(quick), 'asker'),
  )
  expect([await one!.take(['me']), await other!.take(['me'])]).toEqual([undefined, undefined])
  const wait = await other!.take(['me'])
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(10_000)
  expect(await one!.take(['somebody else'])).toBeUndefined()
  await expect.poll(() => one!.take(['me']), { interval: 50 }).toBeUndefined()
  for (const host of hosts) host.stop()
  await server.stop()
})

it('limits all networks of one /48 together, in Redis as in memory', async () => {
  const server = await startRedis()
  const redis = connectRedis(server.url, { patienceMs })
  await redis.there()
  const slow = { perSecond: 0.001, burst: 2 }
  const shared = createSharedLimiter(redis, 'test', slow, createRateLimiter(slow), 'asker')
  for (const limiter of [shared, createRateLimiter(slow)]) {
    const waits: (number | undefined)[] = []
    for (let i = 0; i < 200; i++) {
      waits.push(await limiter.take(clientNetworks(`2001:db8:1:${(i * 89).toString(16)}::1`, undefined, 0)))
    }
    expect(waits.filter((waitMs) => waitMs === undefined)).toHaveLength(32)
    expect(await limiter.take(clientNetworks('2001:db8:2::1', undefined, 0), 0)).toBeUndefined()
    expect(await limiter.take(clientNetworks('2001:db8:1:ffff::1', undefined, 0), 0)).toBeGreaterThan(0)
  }
  redis.stop()
  await server.stop()
})
