import { isDeepStrictEqual } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { TokenSymbol } from '../../../dev/pools/tokens.ts'
import { type RedisServer, startRedis } from '../../../dev/redis.ts'
import { connectRedis } from '../../../service/cluster/redis.ts'
import { configHash } from '../../../service/indexer/snapshotCodec.ts'
import { createPoolSource } from '../../../service/poolSource.ts'
import { type Fault, startFaultyNode } from '../../helpers/node/faultyNode.ts'
import { openV3Pool } from '../../helpers/node/v3Pools.ts'
import { type ListedService, listTokens, startListed } from '../../helpers/service/listedService.ts'
import { slow } from '../../helpers/slow.ts'

slow('Services, and Redis, run as processes of their own.')

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

type Host = ListedService & { asked: string[]; setFault(fault: Fault): void }

type HostOptions = { lockMs?: number; patienceMs?: number; symbols?: readonly TokenSymbol[] }

async function startHost({ lockMs = 10_000, patienceMs = 60_000, symbols }: HostOptions = {}): Promise<Host> {
  const asked: string[] = []
  let fault: Fault = () => undefined
  const node = await startFaultyNode(localnet.rpcUrl, (question) => {
    asked.push(question.method)
    return fault(question)
  })
  const config = { ...listTokens(localnet, symbols), connectors: localnet.config.connectors }
  const feed = { pollMs: 20, lockMs, patienceMs }
  const redis = { patienceMs: 20_000, retryMs: 50 }
  const source = await createPoolSource({ config, rpcUrl: node.url, redisUrl: server.url, redis, feed })
  const service = await startListed(config, node.url, source)
  const host: Host = {
    ...service,
    asked,
    setFault(given) {
      fault = given
    },
    async stop() {
      hosts = hosts.filter((one) => one !== host)
      await service.stop()
      await node.stop()
    },
  }
  hosts.push(host)
  return host
}

async function startHosts(options: HostOptions = {}): Promise<[Host, Host]> {
  const [leader, follower] = [await startHost(options), await startHost(options)]
  await inStep()
  return [leader, follower]
}

/** Waits for the newest block on all hosts. */
async function inStep(): Promise<void> {
  const number = await localnet.client.getBlockNumber()
  for (const { engine } of hosts)
    await expect.poll(() => engine.block()?.number, { interval: 5 }).toBe(number)
}

async function tellRedis(...command: string[]): Promise<unknown> {
  const redis = connectRedis(server.url, { patienceMs: 30_000, retryMs: 20 })
  await redis.there()
  return redis.ask(command).finally(() => redis.stop())
}

const quote = (host: Host, src: TokenSymbol, dst: TokenSymbol, amount = '1000000000000000') =>
  host.ask('quote', {
    ...{ src: localnet.tokens[src], dst: localnet.tokens[dst], amount },
    includeProtocols: 'true',
  })

function stateOf({ pools }: Host) {
  const all = pools.whole()!.pools.map((pool) => [pool.listing.address, pool])
  return { pools: Object.fromEntries(all), unlisted: pools.coverage.unlisted().sort() }
}

const reads = ({ asked }: Host) => asked.filter((method) => /^eth_(call|getLogs)$/.test(method)).length

it('lets the leader read the tokens that a follower is asked for, and gives all hosts their pools', async () => {
  const [leader, follower] = await startHosts()
  const third = await startHost()
  const before = reads(follower) + reads(third)
  const { status, body } = await quote(follower, 'LINK', 'USDC')
  expect(status).toBe(200)
  expect((await quote(leader, 'LINK', 'USDC')).body).toEqual(body)
  await expect.poll(() => stateOf(third)).toEqual(stateOf(leader))
  expect((await quote(third, 'LINK', 'USDC')).body).toEqual(body)
  expect(stateOf(leader).unlisted).toEqual([localnet.tokens.LINK])

  // A pair of unlisted tokens, of which the leader has learnt one by itself.
  expect((await quote(leader, 'BROOK', 'DAI')).status).toBe(200)
  expect((await quote(follower, 'BROOK', 'LINK')).status).toBe(200)
  expect(stateOf(follower)).toEqual(stateOf(leader))
  expect(reads(follower) + reads(third)).toBe(before)

  // Followed by logs, new pools too.
  const pool = await openV3Pool(localnet, [localnet.tokens.LINK, localnet.tokens.DAI], 10n ** 12n)
  await inStep()
  expect(follower.pools.standing(pool)).toBeDefined()
  expect(stateOf(follower)).toEqual(stateOf(leader))
})

it('answers the same errors for tokens without pools on a follower', async () => {
  const [leader, follower] = await startHosts()
  const { USDC } = localnet.tokens
  const nowhere = `0x${'c0de'.padStart(40, '0')}`
  const ask = (host: Host, src: string) => host.ask('quote', { src, dst: USDC, amount: '1000' })
  for (const host of [follower, leader]) {
    expect((await ask(host, nowhere)).body).toMatchObject({ code: 'UNKNOWN_TOKEN' })
    expect((await ask(host, localnet.contracts.v2Router)).body).toMatchObject({
      code: 'INSUFFICIENT_LIQUIDITY',
    })
  }
})

it('is NOT_READY while the leader cannot read a token, and for no longer', async () => {
  const [leader, follower] = await startHosts({ patienceMs: 1_500 })
  leader.setFault(({ method }) => (method === 'eth_call' ? 503 : undefined))
  const { status, body } = await quote(follower, 'LINK', 'USDC')
  expect([status, body.code]).toEqual([503, 'NOT_READY'])
  expect(reads(follower)).toBe(0)
  leader.setFault(() => undefined)
  await expect.poll(async () => (await quote(follower, 'LINK', 'USDC')).status, { timeout: 60_000 }).toBe(200)
})

it('asks the next leader when one ends before it has answered', async () => {
  const [leader, follower] = await startHosts({ lockMs: 1_500 })
  let hasAsked = () => {}
  const asked = new Promise<void>((resolve) => {
    hasAsked = resolve
  })
  leader.setFault(async ({ method }) => {
    if (method !== 'eth_call') return undefined
    hasAsked()
    return new Promise(() => undefined)
  })
  const answer = quote(follower, 'LINK', 'USDC')
  await asked
  leader.setFault(() => 503)
  await leader.stop()
  expect((await answer).status).toBe(200)
  expect(reads(follower)).toBeGreaterThan(0)
})

it('gives a host the leader’s tokens when it joins, and the next leader keeps them', async () => {
  const [leader] = await startHosts({ lockMs: 1_500 })
  await quote(leader, 'LINK', 'USDC')
  await quote(leader, 'BROOK', 'DAI')
  // Its own list is longer: what the state lacks is unlisted to it, until it leads.
  const symbols = ['WETH', 'USDC', 'USDT', 'DAI', 'WBTC', 'DTT'] as const
  const [, old] = hosts as [Host, Host]
  const young = await startHost({ lockMs: 1_500, symbols })
  await expect.poll(() => stateOf(young)).toEqual(stateOf(leader))
  expect((await quote(young, 'DTT', 'WETH')).status).toBe(200)
  await expect.poll(() => stateOf(old)).toEqual(stateOf(young))
  expect(stateOf(young).unlisted).toContain(localnet.tokens.DTT)

  await old.stop()
  await leader.stop()
  await localnet.client.mine({ blocks: 1 })
  await young.engine.refresh()
  await expect
    .poll(() => stateOf(young).unlisted)
    .toEqual([localnet.tokens.LINK, localnet.tokens.BROOK].sort())
  expect(young.pools.coverage.listed()?.has(localnet.tokens.DTT)).toBe(true)
  expect((await quote(young, 'LINK', 'BROOK')).status).toBe(200)
})

it('brings a host that read tokens for itself back in step with the leader', async () => {
  const [leader, follower] = await startHosts({ lockMs: 500 })
  const port = Number(new URL(server.url).port)
  await quote(leader, 'BROOK', 'DAI')
  await server.stop()
  // Alone, each finds its own.
  expect((await quote(leader, 'LINK', 'USDC')).status).toBe(200)
  expect((await quote(follower, 'DTT', 'WETH')).status).toBe(200)
  expect(stateOf(follower).unlisted).not.toEqual(stateOf(leader).unlisted)
  server = await startRedis(port)
  // Whichever leads: the other one takes its tokens.
  const isInStep = () => isDeepStrictEqual(stateOf(follower), stateOf(leader))
  await expect.poll(isInStep, { timeout: 60_000 }).toBe(true)
  await localnet.client.mine({ blocks: 1 })
  await inStep()
  await expect.poll(isInStep, { timeout: 60_000 }).toBe(true)
  expect((await quote(follower, 'LINK', 'DTT')).status).toBe(200)
})

it('ignores requests in Redis that name no tokens', async () => {
  const [leader, follower] = await startHosts()
  const config = listTokens(localnet)
  const requests = `sluice:${configHash(config)}:asks`
  for (const wants of ['x', '0x12-0x34', `${'0x'.padEnd(42, 'f')}-`, ''])
    await tellRedis('XADD', requests, '*', 'what', 'find', 'wants', wants)
  expect((await quote(follower, 'LINK', 'USDC')).status).toBe(200)
  expect(stateOf(leader).unlisted).toEqual([localnet.tokens.LINK])
})
