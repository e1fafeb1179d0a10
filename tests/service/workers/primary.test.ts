import cluster from 'node:cluster'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { openPort } from '../../../dev/port.ts'
import { createMetrics } from '../../../service/http/metrics.ts'
import { createRateLimiter, wrongKeyRate } from '../../../service/http/rateLimiter.ts'
import { createNodeFeed } from '../../../service/indexer/nodeFeed.ts'
import { type RunningWorkers, startWorkers } from '../../../service/workers/primary.ts'
import type { Settings } from '../../../service/workers/protocol.ts'
import { startFaultyNode } from '../../helpers/node/faultyNode.ts'
import { everFresh } from '../../helpers/service/unhurriedService.ts'
import { slow } from '../../helpers/slow.ts'

slow('Services, and Redis, run as processes of their own.')

const burst = 100

let localnet: Localnet
let node: Awaited<ReturnType<typeof startFaultyNode>>
let service: RunningWorkers
/** Only reading the chain takes `eth_getLogs`. */
let reads = 0
let asked = 0

beforeAll(async () => {
  localnet = await createLocalnet()
  node = await startFaultyNode(localnet.rpcUrl, ({ method }) => {
    if (method === 'eth_getLogs') reads++
    return undefined
  })
  service = await start(0)
})
afterAll(async () => {
  await service.stop()
  await node.stop()
  await localnet.stop()
})

function start(port: number, count = 2): Promise<RunningWorkers> {
  const place = { rpcUrl: node.url, port, host: '127.0.0.1' }
  const settings: Settings = {
    config: localnet.config,
    ...place,
    hasPublicMetrics: true,
    isLimited: true,
    proxies: 0,
    logLevel: 'silent',
  }
  const feed = everFresh(createNodeFeed(localnet.config, node.url, { pollMs: 20 }))
  const limiter = createRateLimiter({ perSecond: 0.001, burst })
  const metrics = createMetrics()
  metrics.registry.setDefaultLabels({ worker: 'primary' })
  return startWorkers({ count, settings, feed, limiter, wrongKeys: createRateLimiter(wrongKeyRate), metrics })
}

/** A new connection each, so that workers take turns. */
async function get(path: string) {
  const response = await fetch(`${service.url}${path}`, { headers: { connection: 'close' } })
  return { status: response.status, text: await response.text() }
}

async function ask(times: number) {
  const path = `/v6.1/31337/quote?src=${localnet.tokens.USDC}&dst=${localnet.tokens.WETH}&amount=1000000000`
  asked += times
  const answers = await Promise.all(Array.from({ length: times }, () => get(path)))
  return {
    statuses: answers.map(({ status }) => status),
    texts: new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)),
  }
}

const processes = () => Object.values(cluster.workers ?? {}).map((worker) => worker!.process.pid!)

// They share a rate limit, and one is killed.
describe('startWorkers', { shuffle: false }, () => {
  it('returns the same response from every worker', async () => {
    const { statuses, texts } = await ask(8)
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(texts.size).toBe(1)
  })

  it('reads the chain once for all workers', async () => {
    const before = reads
    await localnet.client.mine({ blocks: 1 })
    const number = Number(await localnet.client.getBlockNumber())
    const blocks = async () => {
      const answers = await Promise.all(Array.from({ length: 4 }, () => get('/ready')))
      return answers.map(({ text }) => JSON.parse(text).block)
    }
    await expect.poll(blocks).toEqual([number, number, number, number])
    // One request for the logs of all factories and pools.
    expect(reads - before).toBe(1)
  })

  it('adds up the metrics of all workers', async () => {
    await ask(8)
    const { text } = await get('/metrics')
    const samples = [...text.matchAll(/^sluice_requests_total\{(?=.*operation="v6\.1\/quote").*\} (\d+)$/gm)]
    expect(samples).toHaveLength(2)
    expect(samples.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(asked)
    expect(text).toContain('worker="primary"')
  })

  it('replaces a crashed worker, and keeps answering meanwhile', async () => {
    const [first] = processes() as [number]
    process.kill(first, 'SIGKILL')
    await expect.poll(processes).not.toContain(first)
    expect((await ask(4)).statuses).toEqual([200, 200, 200, 200])
    await expect.poll(() => processes().length).toBe(2)
    // Has the pools before it takes requests.
    const seen = new Set<number>()
    const serving = async () => {
      for (const { status } of await Promise.all(Array.from({ length: 4 }, () => get('/ready'))))
        seen.add(status)
      return [...(await get('/metrics')).text.matchAll(/^sluice_pools\{.*\} (\d+)$/gm)].length
    }
    await expect.poll(serving, { interval: 1 }).toBe(2)
    expect((await ask(8)).texts.size).toBe(1)
    expect(seen).toEqual(new Set([200]))
  })

  it('shares one rate limit between all workers', async () => {
    const left = burst - asked
    const { statuses } = await ask(left + 10)
    expect(statuses.filter((status) => status === 200)).toHaveLength(left)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
  })

  it('rejects with EADDRINUSE when the port is taken, and leaves no worker running', async () => {
    const before = processes()
    const port = await openPort()
    const other = createServer().listen(port, '127.0.0.1')
    await expect(start(port, 1)).rejects.toMatchObject({ code: 'EADDRINUSE' })
    expect(processes()).toEqual(before)
    await new Promise((resolve) => other.close(resolve))
  })
})
