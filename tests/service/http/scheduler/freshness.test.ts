import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Anvil, startAnvil } from '../../../../dev/chain/anvil.ts'
import { prepareState } from '../../../../dev/chain/chainState.ts'
import { createLocalnetClient, type LocalnetClient } from '../../../../dev/chain/client.ts'
import { localnetConfig } from '../../../../dev/config.ts'
import type { Engine } from '../../../../service/engine.ts'
import { freshness } from '../../../../service/http/scheduler/freshness.ts'
import { createLog } from '../../../../service/log.ts'
import { type RunningService, startService } from '../../../../service/server.ts'
import { startFaultyNode } from '../../../helpers/node/faultyNode.ts'
import { startUnhurried } from '../../../helpers/service/unhurriedService.ts'
import { slow } from '../../../helpers/slow.ts'

slow('A chain runs.')

const config = localnetConfig(31337)
const now = 1_800_000_000_000

function standing(blockAge: number, checkedAgo: number, everyMs = 250): Engine {
  const block = { number: 7n, hash: '0x07', timestamp: BigInt(now / 1_000 - blockAge), baseFeePerGas: 1n }
  const checked = { at: now - checkedAgo * 1_000, everyMs }
  return { block: () => block, checked: () => checked } as unknown as Engine
}

describe('freshness', () => {
  it('accepts an old block while the RPC answers, on a chain without a block interval', () => {
    expect(freshness(config, standing(86_400, 0), now)).toEqual({
      block: 7,
      blockAgeSeconds: 86_400,
      checkedSecondsAgo: 0,
    })
    expect(freshness(config, standing(0, 5), now)?.fault).toBeUndefined()
  })

  it('reports an engine stale after five seconds without the RPC, or twice a longer polling interval', () => {
    expect(freshness(config, standing(0, 6), now)?.fault).toBe('the chain could not be read for 6 seconds')
    expect(freshness(config, standing(0, 6, 4_000), now)?.fault).toBeUndefined()
    expect(freshness(config, standing(0, 9, 4_000), now)?.fault).toMatch(/9 seconds/)
  })

  it('reports an engine stale when its block is too old for the block interval of the chain', () => {
    const timed = { ...config, blockSeconds: 2 }
    expect(freshness(timed, standing(50, 0), now)?.fault).toBeUndefined()
    expect(freshness(timed, standing(51, 0), now)?.fault).toBe('the node’s newest block is 51 seconds old')
  })

  it('returns undefined before the first block', () => {
    const { checked } = standing(0, 0)
    const engine = { block: () => undefined, checked } as unknown as Engine
    expect(freshness(config, engine, now)).toBeUndefined()
  })
})

describe('service readiness', () => {
  let anvil: Anvil
  let client: LocalnetClient
  let service: RunningService
  beforeAll(async () => {
    anvil = await startAnvil({ chainId: 31337, port: 0, statePath: await prepareState(31337) })
    client = createLocalnetClient(anvil.rpcUrl, 31337)
    await client.mine({ blocks: 1 })
    service = await startService({ config, rpcUrl: anvil.rpcUrl, hasPublicMetrics: true })
  })
  afterAll(async () => {
    await service.stop()
    await anvil.stop()
  })

  async function get(path: string, { url } = service) {
    const response = await fetch(`${url}${path}`)
    return { status: response.status, body: await response.json() }
  }

  const operations = [
    `quote?src=${config.wrapped}&dst=${config.connectors[0]}&amount=1`,
    'approve/spender',
    'liquidity-sources',
    'tokens',
  ].map((operation) => `/v6.1/31337/${operation}`)

  it('reports block and freshness at /ready', async () => {
    const block = Number(await client.getBlockNumber())
    // A slow first read delays readiness.
    await expect
      .poll(() => get('/ready'))
      .toEqual({
        status: 200,
        body: {
          status: 'ok',
          block,
          blockAgeSeconds: expect.any(Number),
          checkedSecondsAgo: expect.any(Number),
        },
      })
  })

  it('answers NOT_READY while the RPC is silent, and recovers when it answers again', async () => {
    process.kill(anvil.pid!, 'SIGSTOP')
    try {
      await expect.poll(async () => (await get('/ready')).status, { interval: 100 }).toBe(503)
      const reason = expect.stringMatching(/^the chain could not be read for \d+ seconds$/)
      for (const path of ['/ready', ...operations]) {
        const { status, body } = await get(path)
        expect({ status, body }, path).toMatchObject({
          status: 503,
          body: { code: 'NOT_READY', description: reason },
        })
      }
      expect((await get('/health')).status).toBe(200)
      const metrics = await (await fetch(`${service.url}/metrics`)).text()
      expect(metrics).toContain('\nsluice_ready 0\n')
    } finally {
      process.kill(anvil.pid!, 'SIGCONT')
    }
    await expect.poll(async () => (await get('/ready')).status, { interval: 50 }).toBe(200)
    for (const path of operations.slice(1)) {
      await expect.poll(async () => (await get(path)).status, { message: path }).toBe(200)
    }
  })

  it('answers NOT_READY while the newest block is too old', async () => {
    const timed = await startUnhurried({ config: { ...config, blockSeconds: 2 }, rpcUrl: anvil.rpcUrl })
    const mineAgo = async (seconds: number) => {
      const time = Math.floor(Date.now() / 1_000) - seconds
      await client.request({ method: 'evm_setTime', params: [time] } as never)
      await client.mine({ blocks: 1 })
    }
    const isReady = () => expect.poll(async () => (await get('/ready', timed)).status)
    await mineAgo(0)
    await isReady().toBe(200)
    await mineAgo(60)
    await isReady().toBe(503)
    for (const path of operations) {
      const { body } = await get(path, timed)
      expect(body, path).toMatchObject({
        code: 'NOT_READY',
        description: expect.stringMatching(/^the node’s newest block is ([6-9]\d|\d{3}) seconds old$/),
      })
    }
    await mineAgo(0)
    await isReady().toBe(200)
    await timed.stop()
  })

  it('logs an RPC failure and its recovery once each, without the RPC URL', async () => {
    let isAway = false
    const node = await startFaultyNode(anvil.rpcUrl, () => (isAway ? 429 : undefined))
    const rpcUrl = `${node.url}/v2/node-canary-7a6b`
    const lines: string[] = []
    const log = createLog({ rpcUrl, to: { write: (line) => lines.push(line) } })
    const watched = await startService({ config, rpcUrl, log, hasPublicMetrics: true })
    const metrics = async () => (await fetch(`${watched.url}/metrics`)).text()
    const failures = async () =>
      Number(/sluice_node_failures_total{during="reading"} (\d+)/.exec(await metrics())?.[1] ?? 0)

    isAway = true
    await expect.poll(failures).toBeGreaterThan(1)
    isAway = false
    await expect.poll(() => lines.length).toBe(2)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', msg: 'the chain cannot be read', fault: 'HTTP request failed (HTTP 429).' },
      { level: 'info', msg: 'the chain is read again' },
    ])
    expect([...lines, await metrics()].join()).not.toContain('canary')
    await watched.stop()
    await node.stop()
  })
})
