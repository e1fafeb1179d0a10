import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHttp, type HttpOptions } from '../../src/api/http.ts'
import { failure } from '../helpers/failure.ts'
import {
  cutOff,
  type FaultServer,
  hangUp,
  html,
  json,
  padded,
  refusal,
  silent,
  stalled,
  startFaultServer,
  text,
} from '../helpers/node/faultServer.ts'

const shape = v.object({ ok: v.boolean() })

let server: FaultServer
let naps: number[]

beforeAll(async () => {
  server = await startFaultServer()
})
afterAll(() => server.stop())

describe('createHttp', () => {
  it('sends the query and a fresh request id, without authorization, cookie or referer', async () => {
    server.script(json({ ok: true }))
    const http = create()
    expect(await http.get('/quote', { src: 'a b', amount: 5n, flag: false, none: undefined }, shape)).toEqual(
      {
        ok: true,
      },
    )
    await http.get('/quote', {}, shape)

    const [first, second] = server.asked
    expect(first).toMatchObject({
      method: 'GET',
      path: '/base/quote',
      query: { src: 'a b', amount: '5', flag: 'false' },
    })
    expect(first!.headers['request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(second!.headers['request-id']).not.toBe(first!.headers['request-id'])
    expect(first!.headers).not.toHaveProperty('authorization')
    expect(first!.headers).not.toHaveProperty('cookie')
    expect(first!.headers).not.toHaveProperty('referer')
  })

  it('sends a key as a bearer token when one is set', async () => {
    server.script(json({ ok: true }))
    await create({ key: 'k-123' }).get('/tokens', {}, shape)
    expect(server.asked[0]!.headers.authorization).toBe('Bearer k-123')
    await create({ key: '' }).get('/tokens', {}, shape)
    expect(server.asked[1]!.headers).not.toHaveProperty('authorization')
  })

  it('rejects a key with a line break without revealing it', async () => {
    server.script(json({ ok: true }))
    const error = await failure(create({ key: 'se\ncret' }).get('/tokens', {}, shape))
    expect(error).toMatchObject({ code: 'invalid-input', facts: { field: 'serviceKey' } })
    expect(JSON.stringify(error) + error.message).not.toContain('cret')
    expect(server.asked).toHaveLength(0)
  })

  it.each(['a0b1c2d3e4f5+KEY', 'abcdefghij/klmnopqrs', 'k-123'])(
    'redacts the key %s in an error body, in plain, URL-encoded or JSON-escaped form',
    async (key) => {
      const ways = [
        key,
        encodeURIComponent(key),
        [...key].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join(''),
      ]
      for (const way of ways) {
        const body = `{"description": "Invalid key ${way} here", "code": "VALIDATION_FAILED", "meta": [{"type": "key", "value": "${way}"}]}`
        server.script(text(body, 400))
        const error = await failure(create({ key }).get('/quote', {}, shape))
        expect(error).toMatchObject({
          code: 'refused-request',
          facts: { description: 'Invalid key ... here', key: '...' },
        })
      }
    },
  )

  it('rejects an empty or invalid service URL', async () => {
    for (const baseUrl of [
      '',
      'ftp://host',
      'host',
      'https://user:pass@host',
      'https://host/?a=1',
      'javascript:1',
    ]) {
      const error = await failure(create({ baseUrl }).get('/tokens', {}, shape))
      expect(error, baseUrl).toMatchObject({ code: 'invalid-input', facts: { field: 'serviceUrl' } })
    }
  })

  it('throws service-garbled for an answer that is not the expected JSON, without a retry', async () => {
    const answers = {
      'a web page': html(200),
      nothing: text(''),
      'half a value': text('{"ok": tr'),
      'another type': json({ ok: 'yes' }),
      'another value': json([true]),
      null: json(null),
      'no content': text('', 204),
      'a page for 404': html(404),
      'a page for 400': html(400),
      'an error of another shape': json({ error: 'no' }, 400),
      'more than 1 MB': padded({ ok: true }, 1_000_001),
      'something very deep': text('['.repeat(900_000)),
    }
    for (const [name, answer] of Object.entries(answers)) {
      server.script(answer)
      const error = await failure(create().get('/quote', {}, shape))
      expect(error.code, name).toBe('service-garbled')
      expect(error.facts.operation, name).toBe('/quote')
      expect(server.asked, name).toHaveLength(1)
    }
  })

  it('reads an answer of just under 1 MB', async () => {
    server.script(padded({ ok: true }, 999_900))
    expect(await create().get('/quote', {}, shape)).toEqual({ ok: true })
  })

  it('names the operation and the invalid field in the error', async () => {
    server.script(json({ tx: { gas: 'many' } }))
    const nested = v.object({ tx: v.object({ gas: v.number() }) })
    const error = await failure(create().get('/swap', {}, nested))
    expect(error).toMatchObject({ code: 'service-garbled', facts: { operation: '/swap', field: 'tx.gas' } })
    expect(error.message).toContain('/swap')
    expect(error.message).toContain('tx.gas')
  })

  it('tries three times with growing backoff when the service fails', async () => {
    const faults = {
      'service-failed': [html(500), html(502), text('', 503)],
      'service-unreachable': [hangUp],
    }
    for (const [code, answers] of Object.entries(faults)) {
      server.script(...answers)
      const error = await failure(create().get('/quote', {}, shape))
      expect(error.code).toBe(code)
      expect(server.asked).toHaveLength(3)
      expect(naps).toEqual([250, 500])
    }
  })

  it('retries with the same request id and returns the first successful answer', async () => {
    server.script(hangUp, html(503), json({ ok: true }))
    expect(await create().get('/quote', {}, shape)).toEqual({ ok: true })
    expect(new Set(server.asked.map(({ headers }) => headers['request-id'])).size).toBe(1)
  })

  it('retries a truncated answer', async () => {
    server.script(cutOff, json({ ok: true }))
    expect(await create().get('/quote', {}, shape)).toEqual({ ok: true })
  })

  it('does not retry a 400, 403, 404 or 405', async () => {
    for (const status of [400, 403, 404, 405]) {
      server.script(json(refusal(status, 'SOMETHING', 'no'), status))
      await failure(create().get('/quote', {}, shape))
      expect(server.asked).toHaveLength(1)
      expect(naps).toEqual([])
    }
  })

  it('does not follow a redirect', async () => {
    server.script(text('', 302, { location: `${server.url}/elsewhere` }))
    const error = await failure(create().get('/quote', {}, shape))
    expect(error.code).toBe('service-unreachable')
    expect(server.asked.map(({ path }) => path)).not.toContain('/elsewhere')
  })

  it('waits for at least the Retry-After time, in seconds or as a date', async () => {
    server.script(text('', 429, { 'retry-after': '2' }), json({ ok: true }))
    expect(await create().get('/quote', {}, shape)).toEqual({ ok: true })
    expect(naps).toEqual([2_250])

    const before = Date.now()
    // An HTTP date has whole seconds.
    const date = new Date(before + 3_900).toUTCString()
    server.script(text('', 503, { 'retry-after': date }), json({ ok: true }))
    expect(await create().get('/quote', {}, shape)).toEqual({ ok: true })
    expect(naps[0]).toBeGreaterThanOrEqual(Math.max(0, Date.parse(date) - Date.now()) + 250)
    expect(naps[0]).toBeLessThanOrEqual(Date.parse(date) - before + 250)
  })

  it('waits two seconds plus backoff after a 429 without Retry-After', async () => {
    server.script(text('', 429), json({ ok: true }))
    await create().get('/quote', {}, shape)
    expect(naps).toEqual([2_250])
  })

  it('caps Retry-After at one minute', async () => {
    server.script(text('', 429, { 'retry-after': '86400' }))
    const error = await failure(create().get('/quote', {}, shape))
    expect(error).toMatchObject({ code: 'service-busy', facts: { retryAfterMs: '60000' } })
  })

  it('fails at once when Retry-After exceeds the deadline', async () => {
    server.script(text('', 429, { 'retry-after': '60' }))
    const error = await failure(create().get('/quote', {}, shape))
    expect(error).toMatchObject({ code: 'service-busy', facts: { retryAfterMs: '60000', status: '429' } })
    expect(server.asked).toHaveLength(1)
    expect(naps).toEqual([])
  })

  it('throws service-busy with retryAfterMs when every try gets a 429', async () => {
    server.script(text('', 429, { 'retry-after': '1' }))
    const error = await failure(create().get('/quote', {}, shape))
    expect(error).toMatchObject({ code: 'service-busy', facts: { retryAfterMs: '1000' } })
    expect(server.asked).toHaveLength(3)
  })

  it('randomises the backoff between tries', async () => {
    for (const [chance, waits] of [
      [0, [125, 250]],
      [0.99, [372.5, 745]],
    ] as const) {
      server.script(hangUp)
      await failure(create({ random: () => chance }).get('/quote', {}, shape))
      expect(naps).toEqual(waits)
    }
  })

  it('times out at the deadline before the answer arrives', async () => {
    const deadline = createDeadline()
    server.script(deadline.pass)
    const error = await failure(
      create({ deadlineMs: 1_000, timeout: deadline.timeout }).get('/quote', {}, shape),
    )
    expect(error.code).toBe('service-timeout')
    expect(deadline.set).toEqual([1_000])
    expect(server.asked).toHaveLength(1)
  })

  it('sets a deadline of ten seconds by default', async () => {
    const deadline = createDeadline()
    server.script(deadline.pass)
    const http = createHttp({ baseUrl: server.url, timeout: deadline.timeout })
    expect((await failure(http.get('/quote', {}, shape))).code).toBe('service-timeout')
    expect(deadline.set).toEqual([10_000])
  })

  it('times out at the deadline while it reads the answer', async () => {
    const deadline = createDeadline()
    server.script(stalled)
    const http = create({
      timeout: deadline.timeout,
      async fetch(url, init) {
        const response = await fetch(url, init)
        setImmediate(deadline.pass)
        return response
      },
    })
    expect((await failure(http.get('/quote', {}, shape))).code).toBe('service-timeout')
    expect(server.asked).toHaveLength(1)
  })

  it('applies one deadline to all tries', async () => {
    const deadline = createDeadline()
    server.script(html(500), deadline.pass)
    const error = await failure(
      create({ deadlineMs: 60_000, timeout: deadline.timeout }).get('/quote', {}, shape),
    )
    expect(error.code).toBe('service-timeout')
    expect(deadline.set).toEqual([60_000])
    expect(server.asked).toHaveLength(2)
  })

  it('aborts before the request, during the request and between tries', async () => {
    server.script(silent)
    const gone = AbortSignal.abort()
    expect(await failure(create().get('/quote', {}, shape, gone))).toMatchObject({ code: 'aborted' })
    expect(server.asked).toHaveLength(0)

    const asking = new AbortController()
    server.script(() => asking.abort())
    expect(await failure(create().get('/quote', {}, shape, asking.signal))).toMatchObject({ code: 'aborted' })

    // The retry follows after 250 ms.
    const waiting = new AbortController()
    server.script((response) => {
      html(500)(response)
      setTimeout(() => waiting.abort(), 60)
    })
    const { sleep: _instead, ...parts } = options()
    const error = await failure(createHttp(parts).get('/quote', {}, shape, waiting.signal))
    expect(error.code).toBe('aborted')
    expect(server.asked).toHaveLength(1)
  })

  it('throws service-unreachable when the service is stopped', async () => {
    const gone = await startFaultServer()
    await gone.stop()
    const error = await failure(create({ baseUrl: gone.url }).get('/quote', {}, shape))
    expect(error.code).toBe('service-unreachable')
    expect(error.facts.requestId).toMatch(/^[0-9a-f-]{36}$/)
  })
})

function options(more: Partial<HttpOptions> = {}): HttpOptions {
  naps = []
  return {
    baseUrl: `${server.url}/base/`,
    deadlineMs: 30_000,
    random: () => 0.5,
    sleep: async (ms) => void naps.push(ms),
    ...more,
  }
}

function create(more: Partial<HttpOptions> = {}) {
  return createHttp(options(more))
}

function createDeadline() {
  const deadline = new AbortController()
  const set: number[] = []
  const timeout = (ms: number) => {
    set.push(ms)
    return deadline.signal
  }
  return { set, timeout, pass: () => deadline.abort() }
}
