import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../dev/localnet.ts'
import { openPort } from '../../dev/port.ts'
import { createNodeFeed } from '../../service/indexer/nodeFeed.ts'
import { createPoolState } from '../../service/indexer/poolState.ts'
import { type RunningService, startService } from '../../service/server.ts'
import { startHttpServer } from '../helpers/httpServer.ts'
import { startFaultyNode } from '../helpers/node/faultyNode.ts'
import { startUnhurried } from '../helpers/service/unhurriedService.ts'

let localnet: Localnet
let service: RunningService
beforeAll(async () => {
  localnet = await createLocalnet()
  service = await startUnhurried({ config: localnet.config, rpcUrl: localnet.rpcUrl })
})
afterAll(async () => {
  await service.stop()
  await localnet.stop()
})

async function get(path: string, init?: RequestInit) {
  const response = await fetch(`${service.url}${path}`, init)
  const text = await response.text()
  return { status: response.status, headers: response.headers, text }
}

it('answers over HTTP', async () => {
  const query = `src=${localnet.tokens.USDC}&dst=${localnet.tokens.WETH}&amount=1000000000`
  const quote = await get(`/v6.1/31337/quote?${query}`)
  expect(quote.status).toBe(200)
  expect(quote.headers.get('content-type')).toBe('application/json')
  expect(JSON.parse(quote.text).dstAmount).toMatch(/^\d+$/)
  expect((await get('/ready')).status).toBe(200)

  const head = await get('/v6.1/31337/tokens', { method: 'HEAD' })
  expect(head).toMatchObject({ status: 200, text: '' })
})

it('returns the request id of the client', async () => {
  const { status, text } = await get('/v6.1/31337/quote', { headers: { 'request-id': 'a b/1' } })
  expect(status).toBe(400)
  expect(JSON.parse(text).requestId).toBe('a b/1')
})

it('answers many requests at once', async () => {
  const ask = (amount: number) =>
    get(`/v6.1/31337/quote?src=${localnet.tokens.USDC}&dst=${localnet.tokens.WETH}&amount=${amount}`)
  const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => ask(1_000_000 + i)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
})

it('follows the chain', async () => {
  const before = JSON.parse((await get('/ready')).text).block
  await localnet.client.mine({ blocks: 2 })
  await expect.poll(async () => JSON.parse((await get('/ready')).text).block).toBe(before + 2)
})

it('answers NOT_READY until the first snapshot', async () => {
  const gate = await startGate(localnet.rpcUrl)
  const port = await openPort()
  const starting = startUnhurried({ config: localnet.config, rpcUrl: gate.url, port })
  // Avoids an unhandled rejection.
  starting.catch(() => undefined)
  const root = `http://127.0.0.1:${port}`
  await expect
    .poll(() =>
      fetch(`${root}/health`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200)
  const early = await fetch(`${root}/v6.1/31337/tokens`)
  expect(early.status).toBe(503)
  expect(await early.json()).toMatchObject({ code: 'NOT_READY', statusCode: 503 })

  gate.open()
  const late = await starting
  expect(late.url).toBe(root)
  expect((await fetch(`${root}/v6.1/31337/tokens`)).status).toBe(200)
  await late.stop()
  await expect(fetch(`${root}/health`)).rejects.toThrow()
  await gate.stop()
})

it('searches in threads, reads the chain once for all, and reports the threads', async () => {
  const pools = createPoolState()
  let reads = 0
  const node = await startFaultyNode(localnet.rpcUrl, ({ method }) => {
    if (method === 'eth_getLogs') reads++
    return undefined
  })
  const feed = createNodeFeed(localnet.config, node.url, { pollMs: 20, ledger: pools })
  const own = await startUnhurried({
    ...{ config: localnet.config, rpcUrl: node.url, feed, pools, threads: 2, hasPublicMetrics: true },
  })
  const path = `${own.url}/v6.1/31337/quote?src=${localnet.tokens.USDC}&dst=${localnet.tokens.WETH}&amount=`
  const answers = await Promise.all(
    Array.from({ length: 12 }, async (_, i) => (await fetch(`${path}${1_000_000_000 + i}`)).json()),
  )
  // The local service's, by another engine at the same block.
  const alone = await Promise.all(
    Array.from({ length: 12 }, async (_, i) => {
      const query = `src=${localnet.tokens.USDC}&dst=${localnet.tokens.WETH}&amount=${1_000_000_000 + i}`
      return JSON.parse((await get(`/v6.1/31337/quote?${query}`)).text)
    }),
  )
  expect(answers).toEqual(alone)

  const before = reads
  await localnet.client.mine({ blocks: 1 })
  const number = await localnet.client.getBlockNumber()
  await expect.poll(() => own.engine.block()?.number).toBe(number)
  // One request for the logs of all factories and pools.
  expect(reads - before).toBe(1)

  const text = await (await fetch(`${own.url}/metrics`)).text()
  expect(text).toContain('sluice_route_search_seconds_count 12')
  expect(text).toMatch(/^sluice_searches_waiting 0$/m)
  expect([...text.matchAll(/^sluice_search_thread_utilization\{thread="\d"\} \S+$/gm)]).toHaveLength(2)
  await own.stop()
  await node.stop()
})

it('refuses to start on a port that is taken', async () => {
  const port = Number(new URL(service.url).port)
  await expect(startService({ config: localnet.config, rpcUrl: localnet.rpcUrl, port })).rejects.toThrow(
    /EADDRINUSE/,
  )
})

it('leaves no socket open when the engine cannot start', async () => {
  const port = await openPort()
  await expect(
    startService({ config: localnet.config, rpcUrl: 'http://127.0.0.1:1', port }),
  ).rejects.toThrow()
  await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow()
})

async function startGate(rpcUrl: string) {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const server = await startHttpServer(async (_request, response, body) => {
    await opened
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(rpcUrl, { method: 'POST', headers, body })
    response.writeHead(answer.status, headers).end(await answer.text())
  })
  return { ...server, open }
}
