import { describe, expect, it } from 'vitest'
import type { HandlerOptions } from '../../../service/app.ts'
import { createRateLimiter, type RateLimiter } from '../../../service/http/rateLimiter.ts'
import { createLog } from '../../../service/log.ts'
import { handle, idle, nowhere, somebody } from '../../helpers/service/idleService.ts'

const harmless = '/v6.1/5/tokens'
/** Needs the RPC, which is down. */
const hopeless = `/v6.1/5/quote?src=${somebody}&dst=0x${'33'.repeat(20)}&amount=1`

function start(options: HandlerOptions = {}, engine = () => idle) {
  const lines: string[] = []
  const log = createLog({ level: 'debug', rpcUrl: nowhere, to: { write: (line) => lines.push(line) } })
  return {
    ask: handle(engine, { log, hasPublicMetrics: true, ...options }),
    lines,
    logged: () => lines.map((line) => JSON.parse(line)),
  }
}

async function metrics(ask: ReturnType<typeof start>['ask'], name: string): Promise<string[]> {
  const { text } = await ask('/metrics')
  return text.split('\n').filter((line) => line.startsWith(name))
}

describe('request ids', () => {
  it.each(['mine-1', 'a b/{}"\'<', 'x'.repeat(128)])('returns the request id %s', async (id) => {
    const { ask } = start()
    const { headers, body } = await ask('/nowhere', { headers: { 'request-id': id } })
    expect(body.requestId).toBe(id)
    expect(headers.get('request-id')).toBe(id)
    expect((await ask(harmless, { headers: { 'request-id': id } })).headers.get('request-id')).toBe(id)
  })

  it.each(['', 'x'.repeat(129), 'é', 'a\tb'])(
    'replaces a request id that is unfit for a log: %j',
    async (id) => {
      const { body } = await start().ask('/nowhere', { headers: { 'request-id': id } })
      expect(body.requestId).toMatch(/^[0-9a-f-]{36}$/)
    },
  )
})

describe('request log', () => {
  it('logs one line per request, without its query', async () => {
    const { ask, logged, lines } = start()
    const permit = `0x${'7e57'.repeat(112)}`
    await ask(`/v6.1/5/swap?permit=${permit}&src=canary`, { headers: { 'request-id': 'r-1' } })
    expect(logged()).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        pid: process.pid,
        method: 'GET',
        operation: 'v6.1/swap',
        chain: 5,
        status: 400,
        code: 'REQUIRED_FIELD_MISSING',
        ms: expect.any(Number),
        requestId: 'r-1',
        msg: 'request',
      },
    ])
    expect(lines.join()).not.toMatch(/7e57|canary/)
  })

  it('logs an internal error under its request id, and exposes neither the RPC URL nor a key', async () => {
    const { ask, logged, lines } = start({ keys: new Set(['key-canary-4e5f']) })
    const headers = { 'request-id': 'r-2', authorization: 'Bearer key-canary-4e5f' }
    const { status, text } = await ask(hopeless, { headers })
    expect(status).toBe(500)
    const wrong = await ask(hopeless, { headers: { authorization: 'Bearer wrong-canary' } })
    expect(wrong.status).toBe(403)
    expect(logged()[0]).toMatchObject({
      level: 'error',
      status: 500,
      code: 'INTERNAL_SERVER_ERROR',
      requestId: 'r-2',
      asker: expect.stringMatching(/^[0-9a-f]{12}$/),
      fault: expect.stringContaining('HTTP request failed'),
    })
    const { text: told } = await ask('/metrics', { headers })
    expect([text, wrong.text, told, ...lines].join()).not.toContain('canary')
  })

  it('logs health, readiness and metrics requests at level debug', async () => {
    const { ask, logged } = start()
    for (const path of ['/health', '/ready', '/metrics']) await ask(path)
    expect(logged().map(({ level, operation }) => [level, operation])).toEqual([
      ['debug', 'health'],
      ['debug', 'ready'],
      ['debug', 'metrics'],
    ])
  })
})

describe('metrics', () => {
  it('counts responses by operation, status and code', async () => {
    const { ask } = start()
    await ask(harmless)
    await ask(harmless, { method: 'HEAD' })
    await ask('/v3.0/5/protocols')
    await ask('/v6.1/5/quote')
    expect(await metrics(ask, 'sluice_requests_total')).toEqual([
      'sluice_requests_total{operation="v6.1/tokens",status="200",code="OK"} 2',
      'sluice_requests_total{operation="v3.0/protocols",status="200",code="OK"} 1',
      'sluice_requests_total{operation="v6.1/quote",status="400",code="REQUIRED_FIELD_MISSING"} 1',
    ])
    expect(await metrics(ask, 'sluice_request_seconds_count')).toContain(
      'sluice_request_seconds_count{operation="v6.1/quote"} 1',
    )
  })

  it('counts all unknown paths under one label', async () => {
    const { ask } = start()
    for (let i = 0; i < 50; i++) await ask(`/${i}/v6.1/5/x${i}`)
    await ask('/v3.0/5/protocols/images/ONE')
    await ask('/v3.0/5/protocols/images/OTHER')
    await ask('/v6.1/5/quote', { method: 'POST' })
    expect(await metrics(ask, 'sluice_requests_total')).toEqual([
      'sluice_requests_total{operation="other",status="404",code="NOT_FOUND"} 50',
      'sluice_requests_total{operation="v3.0/protocols/images/:id",status="404",code="NOT_FOUND"} 2',
      'sluice_requests_total{operation="other",status="405",code="METHOD_NOT_ALLOWED"} 1',
    ])
  })

  it('reports the block number, the number of pools and the readiness', async () => {
    const { ask } = start()
    expect(await metrics(ask, 'sluice_block_number')).toEqual(['sluice_block_number 7'])
    expect(await metrics(ask, 'sluice_pools')).toEqual(['sluice_pools 3'])
    expect(await metrics(ask, 'sluice_ready')).toEqual(['sluice_ready 1'])
    const stale = start({}, () => ({ ...idle, checked: () => ({ at: 0, everyMs: 250 }) }))
    expect(await metrics(stale.ask, 'sluice_ready')).toEqual(['sluice_ready 0'])
    expect(await metrics(stale.ask, 'sluice_block_number')).toEqual(['sluice_block_number 7'])
  })

  it('counts RPC failures', async () => {
    const { ask } = start()
    await ask(hopeless)
    expect(await metrics(ask, 'sluice_node_failures')).toEqual([
      'sluice_node_failures_total{during="request"} 1',
    ])
  })

  it('serves metrics only if they are public or the request has a valid key', async () => {
    for (const remoteAddress of ['127.0.0.1', '::1', '203.0.113.7']) {
      const closed = start({ hasPublicMetrics: false, proxies: 1 })
      const init = { headers: { 'x-forwarded-for': '127.0.0.1', host: 'localhost' } }
      expect((await closed.ask('/metrics', init, { remoteAddress })).status).toBe(404)
    }
    const { status, headers } = await start().ask('/metrics')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    const { ask } = start({ keys: new Set(['right']), hasPublicMetrics: false })
    expect((await ask('/metrics')).status).toBe(403)
    expect((await ask('/metrics', { headers: { authorization: 'Bearer right' } })).status).toBe(200)
    for (const path of ['/health', '/ready']) expect((await ask(path)).status).toBe(200)
  })
})

describe('rate limit', () => {
  const slow = () => createRateLimiter({ perSecond: 0.4, burst: 2 }, { now: () => 0 })

  it('limits each address separately and sends retry-after', async () => {
    const { ask } = start({ limiter: slow() })
    const from = (remoteAddress: string) => ask(harmless, {}, { remoteAddress })
    expect((await from('203.0.113.7')).status).toBe(200)
    expect((await from('203.0.113.7')).status).toBe(200)
    const { status, headers, body } = await from('203.0.113.7')
    expect(status).toBe(429)
    expect(headers.get('retry-after')).toBe('3')
    expect(body).toMatchObject({ error: 'Too Many Requests', statusCode: 429, code: 'RATE_LIMITED' })
    expect((await from('203.0.113.8')).status).toBe(200)
    expect(await metrics(ask, 'sluice_rate_limited')).toEqual(['sluice_rate_limited_total 1'])
  })

  it('lets Retry-After grow with the excess of a client alone', async () => {
    const { ask } = start({ limiter: slow() })
    const from = (remoteAddress: string) => ask(harmless, {}, { remoteAddress })
    for (let i = 0; i < 2; i++) await from('203.0.113.7')
    const waits: number[] = []
    for (let i = 0; i < 30; i++) waits.push(Number((await from('203.0.113.7')).headers.get('retry-after')))
    expect(waits.slice(0, 4)).toEqual([3, 5, 8, 10])
    expect(waits.at(-1)).toBe(60)
    for (let i = 0; i < 2; i++) await from('203.0.113.8')
    expect((await from('203.0.113.8')).headers.get('retry-after')).toBe('3')
  })

  it('exempts health, readiness and metrics requests', async () => {
    const { ask } = start({ limiter: createRateLimiter({ perSecond: 0.001, burst: 1 }, { now: () => 0 }) })
    expect((await ask(harmless)).status).toBe(200)
    for (const path of ['/health', '/ready', '/metrics']) expect((await ask(path)).status, path).toBe(200)
    expect((await ask(harmless)).status).toBe(429)
  })

  it('limits each key across all addresses', async () => {
    const { ask } = start({ limiter: slow(), keys: new Set(['one', 'other']) })
    const as = (key: string, remoteAddress: string) =>
      ask(harmless, { headers: { authorization: `Bearer ${key}` } }, { remoteAddress })
    expect((await as('one', '1.1.1.1')).status).toBe(200)
    expect((await as('one', '2.2.2.2')).status).toBe(200)
    expect((await as('one', '3.3.3.3')).status).toBe(429)
    expect((await as('other', '1.1.1.1')).status).toBe(200)
  })

  it('trusts X-Forwarded-For only for the configured number of proxies', async () => {
    const open = start({ limiter: slow() })
    const behind = start({ limiter: slow(), proxies: 1 })
    const statuses = async ({ ask }: typeof open) => {
      const asked: number[] = []
      for (const client of ['1.1.1.1', '2.2.2.2', '3.3.3.3']) {
        const { status } = await ask(
          harmless,
          { headers: { 'x-forwarded-for': client } },
          { remoteAddress: '10.0.0.1' },
        )
        asked.push(status)
      }
      return asked
    }
    expect(await statuses(open)).toEqual([200, 200, 429])
    expect(await statuses(behind)).toEqual([200, 200, 200])
  })

  it('accepts requests while the limiter fails, and logs the failure once', async () => {
    let isAway = true
    const limiter: RateLimiter = {
      take: async () => {
        if (isAway) throw new Error('no connection')
        return undefined
      },
    }
    const { ask, logged } = start({ limiter })
    for (let i = 0; i < 3; i++) expect((await ask(harmless)).status).toBe(200)
    isAway = false
    await ask(harmless)
    expect(logged().flatMap(({ level, msg }) => (msg === 'request' ? [] : [[level, msg]]))).toEqual([
      ['warn', 'requests are not limited'],
      ['info', 'requests are limited again'],
    ])
  })
})

describe('clients with many networks', () => {
  it('limits a /48 to sixteen times the rate of one network, without affecting other clients', async () => {
    const { ask } = start({ limiter: createRateLimiter({ perSecond: 0.001, burst: 2 }) })
    const from = async (remoteAddress: string) => (await ask(harmless, {}, { remoteAddress })).status
    const statuses: number[] = []
    for (let i = 0; i < 300; i++) statuses.push(await from(`2001:db8:1:${(i * 37).toString(16)}::${i}`))
    expect(statuses.filter((status) => status === 200)).toHaveLength(32)
    expect(await from('2001:db8:2::1')).toBe(200)
  })

  it('counts an IPv4 address and its IPv6 forms as one client', async () => {
    const { ask } = start({ limiter: createRateLimiter({ perSecond: 0.001, burst: 1 }), proxies: 1 })
    const statuses: number[] = []
    for (const client of [
      '203.0.113.7',
      '::ffff:203.0.113.7',
      '::ffff:cb00:7107',
      '[::FFFF:203.0.113.7]:80',
    ]) {
      statuses.push((await ask(harmless, { headers: { 'x-forwarded-for': client } })).status)
    }
    expect(statuses).toEqual([200, 429, 429, 429])
  })
})

describe('wrong API keys', () => {
  const keys = new Set(['right-key-canary', 'other-key-canary'])
  const place = '198.51.100.9'

  function guess() {
    const wrongKeys = createRateLimiter({ perSecond: 0.1, burst: 10 }, { now: () => 0 })
    const { ask, lines } = start({ keys, wrongKeys })
    const as = async (key: string, remoteAddress = place, path = harmless) => {
      const { status } = await ask(path, { headers: { authorization: `Bearer ${key}` } }, { remoteAddress })
      return status
    }
    return { as, ask, lines }
  }

  it.each([harmless, '/metrics', '/v3.0/5/protocols'])(
    'rejects further wrong keys with 429 after ten from one address, at %s',
    async (path) => {
      const { as, ask } = guess()
      const statuses: number[] = []
      for (let i = 0; i < 40; i++) statuses.push(await as(`guess-${i}`, place, path))
      expect(statuses).toEqual([...Array(10).fill(403), ...Array(30).fill(429)])
      const again = await ask(path, { headers: { authorization: 'Bearer guess' } }, { remoteAddress: place })
      expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(again.body.code).toBe('RATE_LIMITED')
    },
  )

  it('counts wrong keys across a whole /48', async () => {
    const { as } = guess()
    const statuses: number[] = []
    for (let i = 0; i < 400; i++)
      statuses.push(await as(`guess-${i}`, `2001:db8:1:${(i * 100).toString(16)}::1`))
    expect(statuses.filter((status) => status === 403)).toHaveLength(160)
    expect(statuses.slice(-200)).toEqual(Array(200).fill(429))
  })

  it('accepts a right key from another address, or from one where it was used before', async () => {
    const { as } = guess()
    expect(await as('other-key-canary')).toBe(200)
    for (let i = 0; i < 50; i++) await as('guess')
    expect(await as('right-key-canary', '198.51.100.10')).toBe(200)
    expect(await as('other-key-canary')).toBe(200)
  })

  it('rejects an unused right key from an address over the limit, so that it does not confirm a guess', async () => {
    const { as } = guess()
    for (let i = 0; i < 50; i++) await as('guess')
    expect(await as('right-key-canary')).toBe(429)
  })

  it('does not count right keys from one address as wrong', async () => {
    const many = new Set(Array.from({ length: 50 }, (_, i) => `key-${i}`))
    const { ask } = start({ keys: many })
    for (const key of many) {
      const headers = { authorization: `Bearer ${key}` }
      expect((await ask(harmless, { headers }, { remoteAddress: place })).status).toBe(200)
    }
  })

  it('logs neither right nor wrong keys', async () => {
    const { as, lines } = guess()
    await as('right-key-canary')
    for (let i = 0; i < 12; i++) await as('wrong-key-canary')
    expect(lines.length).toBeGreaterThan(12)
    expect(lines.join()).not.toContain('canary')
  })
})

it('answers NOT_READY while stopping, but stays healthy', async () => {
  const { ask } = start()
  const closing = { isClosing: true }
  for (const path of [harmless, '/ready']) {
    expect(await ask(path, {}, closing)).toMatchObject({
      status: 503,
      body: { code: 'NOT_READY', description: 'the service is being stopped' },
    })
  }
  expect((await ask('/health', {}, closing)).status).toBe(200)
})
