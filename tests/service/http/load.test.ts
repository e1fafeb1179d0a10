import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHandler, type HandlerOptions } from '../../../service/app.ts'
import type { Engine } from '../../../service/engine.ts'
import { connectRpc } from '../../../service/indexer/node.ts'
import { createTokens, nativeTokenAddress } from '../../../service/tokens/registry.ts'
import { startFaultyNode } from '../../helpers/node/faultyNode.ts'
import { type Running, startRunning } from '../../helpers/service/runService.ts'
import { withTime } from '../../helpers/service/unhurriedService.ts'

let running: Running
let node: Awaited<ReturnType<typeof startFaultyNode>>
const questions: string[] = []
/** While set, simulations and the stranger's code wait. */
let gate: Promise<void> | undefined
beforeAll(async () => {
  running = await startRunning()
  node = await startFaultyNode(running.localnet.rpcUrl, async ({ method, params }) => {
    questions.push(method)
    const isOfStranger = method === 'eth_getCode' && (params as string[])[0] === stranger()
    if (method === 'eth_simulateV1' || isOfStranger) await gate
    return undefined
  })
})
afterAll(async () => {
  await node.stop()
  await running.stop()
})

function start(options: HandlerOptions = {}, change: Partial<Engine> = {}) {
  const engine = { ...running.engine, ...change }
  const client = connectRpc(node.url)
  const { config } = running
  const service = { config, node: client, tokens: createTokens(config, client), engine: () => engine }
  const handler = createHandler(service, { ...withTime, hasPublicMetrics: true, ...options })
  return async (path: string, signal?: AbortSignal, remoteAddress = '127.0.0.1') => {
    const init = signal === undefined ? {} : { signal }
    const response = await handler(new Request(`http://service${path}`, init), { remoteAddress })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} }
  }
}

type Ask = ReturnType<typeof start>

/** Not a listed token. */
const stranger = () => running.localnet.contracts.v2Factory

function quote(number: number): string {
  return `/v6.1/31337/quote?src=${nativeTokenAddress}&dst=${running.localnet.tokens.USDC}&amount=${10n ** 17n + BigInt(number)}`
}

function swap(number: number): string {
  const { address } = running.localnet.accounts[0]!
  const trade = `src=${nativeTokenAddress}&dst=${running.localnet.tokens.USDC}&amount=${10n ** 17n + BigInt(number)}`
  return `/v6.1/31337/swap?${trade}&from=${address}&origin=${address}&slippage=1`
}

function shut(): () => void {
  let open = () => {}
  gate = new Promise((resolve) => {
    open = resolve
  })
  return () => {
    gate = undefined
    open()
  }
}

async function lane(ask: Ask, name: 'running' | 'waiting', which = 'swap'): Promise<number> {
  const { text } = await ask('/metrics')
  return Number(new RegExp(`sluice_lane_${name}{lane="${which}"} (\\d+)`).exec(text)?.[1])
}

describe('request queues', () => {
  const limits = { quote: { atOnce: 1, waiting: 1 }, swap: { atOnce: 1, waiting: 1 } }

  it('rejects a swap with BUSY when the queue of swaps is full, and answers quotes meanwhile', async () => {
    const ask = start({ limits })
    const open = shut()
    const first = ask(swap(101))
    const second = ask(swap(102))
    await expect.poll(() => lane(ask, 'waiting')).toBe(1)
    const third = await ask(swap(103))
    expect(third).toMatchObject({ status: 503, body: { code: 'BUSY', statusCode: 503 } })
    expect(third.headers.get('retry-after')).toBe('1')
    expect((await ask(quote(101))).status).toBe(200)
    open()
    expect((await first).status).toBe(200)
    expect((await second).status).toBe(200)
    expect(await lane(ask, 'running')).toBe(0)
  })

  it('leaves room for other clients when one client sends many requests', async () => {
    const ask = start({ limits: { quote: limits.quote, swap: { atOnce: 4, waiting: 4 } } })
    const open = shut()
    const one = '203.0.113.7'
    const much = Array.from({ length: 12 }, (_, i) => ask(swap(700 + i), undefined, one))
    const refused = await Promise.all(much.slice(2))
    expect(refused.map(({ body }) => body.code)).toEqual(Array.from({ length: 10 }, () => 'BUSY'))
    const other = ask(swap(750), undefined, '203.0.113.8')
    await expect.poll(() => lane(ask, 'running')).toBe(2)
    open()
    expect((await other).status).toBe(200)
    expect((await Promise.all(much.slice(0, 2))).map(({ status }) => status)).toEqual([200, 200])
  })

  it('removes a request from the queue when its client disconnects', async () => {
    const ask = start({ limits })
    const open = shut()
    const first = ask(swap(201))
    const leaver = new AbortController()
    const second = ask(swap(202), leaver.signal)
    await expect.poll(() => lane(ask, 'waiting')).toBe(1)
    leaver.abort()
    expect((await second).status).toBe(499)
    expect(await lane(ask, 'waiting')).toBe(0)
    const third = ask(swap(203))
    open()
    expect([(await first).status, (await third).status]).toEqual([200, 200])
  })

  it('answers other requests between two route searches', async () => {
    const ask = start({ limits: { quote: { atOnce: 64, waiting: 64 }, swap: { atOnce: 1, waiting: 1 } } })
    const done: string[] = []
    const quotes = Array.from({ length: 20 }, (_, i) => ask(quote(300 + i)).then(() => done.push('quote')))
    await new Promise((resolve) => setImmediate(resolve))
    await ask('/health').then(() => done.push('health'))
    await Promise.all(quotes)
    expect(done.indexOf('health')).toBeLessThan(10)
  })
})

it('searches for each client in turn, however many requests one of them sends', async () => {
  const order: string[] = []
  const ask = start(
    {},
    {
      async route({ amount }) {
        order.push(amount > 1_000n ? 'busy' : 'quiet')
        return undefined
      },
    },
  )
  const trade = `/v6.1/31337/quote?src=${running.localnet.tokens.USDC}&dst=${running.localnet.tokens.WETH}`
  const busy = Array.from({ length: 200 }, (_, i) => {
    return ask(`${trade}&amount=${2_000 + i}`, undefined, '203.0.113.7')
  })
  const quiet = [1, 2, 3].map((amount) => ask(`${trade}&amount=${amount}`, undefined, '203.0.113.8'))
  for (const { body } of await Promise.all([...busy, ...quiet]))
    expect(body.code).toBe('INSUFFICIENT_LIQUIDITY')
  expect(order).toHaveLength(203)
  expect(order.lastIndexOf('quiet')).toBeLessThan(8)
})

it('starts at most one route search per turn of the event loop, also after RPC requests', async () => {
  let round = 0
  const rounds: number[] = []
  const ask = start(
    {},
    {
      async route() {
        rounds.push(round)
        return undefined
      },
    },
  )
  let isOver = false
  const count = () => {
    round++
    if (!isOver) setImmediate(count)
  }
  count()
  const open = shut()
  questions.length = 0
  const asked = Array.from({ length: 10 }, (_, i) =>
    ask(`/v6.1/31337/quote?src=${stranger()}&dst=${nativeTokenAddress}&amount=${1 + i}`),
  )
  await expect.poll(() => questions.filter((method) => method === 'eth_getCode')).toHaveLength(10)
  open()
  for (const { body } of await Promise.all(asked)) expect(body.code).toBe('INSUFFICIENT_LIQUIDITY')
  isOver = true
  expect(rounds).toHaveLength(10)
  expect(new Set(rounds).size).toBe(10)
})

describe('deadlines', () => {
  it('ends a swap with TIMED_OUT when the RPC does not answer', async () => {
    const ask = start({ deadlineMs: 150 })
    const open = shut()
    const answer = await ask(swap(401))
    expect(answer).toMatchObject({
      status: 503,
      body: { code: 'TIMED_OUT', description: 'no answer was found within 150 ms' },
    })
    open()
  })

  it('ends a search with the best route so far and does not cache it', async () => {
    let searches = 0
    const ask = start(
      { searchMs: 50 },
      {
        async route(request, options) {
          searches++
          return running.engine.route(request, { ...options, searchMs: searches === 1 ? 0 : 60_000 })
        },
      },
    )
    expect((await ask(quote(501))).status).toBe(200)
    expect((await ask(quote(501))).status).toBe(200)
    expect(searches).toBe(2)
    expect((await ask(quote(501))).status).toBe(200)
    expect(searches).toBe(2)
  })
})

describe('repeated requests', () => {
  it('searches once per block for equivalent quotes, however they are written', async () => {
    let searches = 0
    const ask = start(
      {},
      {
        async route(request, options) {
          searches++
          return running.engine.route(request, options)
        },
      },
    )
    const { USDC, WETH } = running.localnet.tokens
    const one = await ask(`/v6.1/31337/quote?src=${USDC}&dst=${WETH}&amount=1000000001&includeGas=true`)
    const upper = `0x${WETH.slice(2).toUpperCase()}`
    const other = await ask(
      `/v6.1/31337/quote?amount=1000000001&includeGas=true&dst=${upper}&src=${USDC}&x=1`,
    )
    expect(one.status).toBe(200)
    expect(other.text).toBe(one.text)
    expect(searches).toBe(1)
    const { text } = await ask('/metrics')
    expect(text).toContain('sluice_answers_total{lane="quote",answer="made"} 1')
    expect(text).toContain('sluice_answers_total{lane="quote",answer="repeated"} 1')

    await running.localnet.client.mine({ blocks: 1 })
    await running.engine.refresh()
    await ask(`/v6.1/31337/quote?src=${USDC}&dst=${WETH}&amount=1000000001&includeGas=true`)
    expect(searches).toBe(2)
  })

  it('shares one simulation between concurrent equal swaps, also when one client disconnects', async () => {
    const ask = start()
    const open = shut()
    questions.length = 0
    const leaver = new AbortController()
    const left = ask(swap(602), leaver.signal)
    const stayed = ask(swap(602))
    await expect.poll(() => questions).toContain('eth_simulateV1')
    leaver.abort()
    expect((await left).status).toBe(499)
    open()
    expect((await stayed).status).toBe(200)
    expect(questions.filter((method) => method === 'eth_simulateV1')).toHaveLength(1)
    expect((await ask(swap(602))).status).toBe(200)
    expect(questions.filter((method) => method === 'eth_simulateV1')).toHaveLength(2)
  })

  it('simulates a swap once when clients repeatedly disconnect and send it again', async () => {
    const ask = start()
    const open = shut()
    questions.length = 0
    for (let i = 0; i < 6; i++) {
      const leaver = new AbortController()
      const left = ask(swap(603), leaver.signal)
      await expect.poll(() => questions).toContain('eth_simulateV1')
      leaver.abort()
      expect((await left).status).toBe(499)
    }
    expect(await lane(ask, 'running')).toBe(1)
    const stayed = ask(swap(603))
    open()
    expect((await stayed).status).toBe(200)
    expect(questions.filter((method) => method === 'eth_simulateV1')).toHaveLength(1)
    expect(await lane(ask, 'running')).toBe(0)
  })
})
