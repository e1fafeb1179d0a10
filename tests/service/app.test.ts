import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../service/errors.ts'
import { handle, idle, somebody } from '../helpers/service/idleService.ts'

const ask = handle(() => idle)

describe('error responses', () => {
  it('returns the error body with code, description and the request id of the client', async () => {
    const { status, headers, body } = await ask('/v6.1/5/quote', { headers: { 'request-id': 'mine-1' } })
    expect(status).toBe(400)
    expect(headers.get('content-type')).toBe('application/json')
    expect(body).toEqual({
      error: 'Bad Request',
      description: 'src is not set',
      statusCode: 400,
      code: 'REQUIRED_FIELD_MISSING',
      requestId: 'mine-1',
      meta: null,
    })
  })

  it('generates a unique request id when the client sends none', async () => {
    const one = await ask('/v6.1/5/quote')
    const other = await ask('/v6.1/5/quote', { headers: { 'request-id': '' } })
    expect(one.body.requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect(other.body.requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect(one.body.requestId).not.toBe(other.body.requestId)
  })

  it.each([
    '/',
    '/v6.1',
    '/v6.1/5',
    '/v6.1/5/',
    '/v6.1/5/nothing',
    '/v6.1/5/approve',
    '/v6.1/6/quote',
    '/v6.1/05/quote',
    '/v6.1/x/quote',
    '/v6.2/5/quote',
    '/swap/v6.2/5/quote',
    '/swap/v3.0/5/quote',
    '/swap/5/quote',
    '/price/v1.1',
    '/price/v1.1/5/',
    '/price/v1.1/5/tokens/0x1111111111111111111111111111111111111111.svg',
    '/V6.1/5/quote',
    '/v6.1/5/quote/',
    '/v6.1/5/%2e%2e/quote',
    '/v6.1/5/%ff',
  ])('answers %s with NOT_FOUND', async (path) => {
    const { status, body } = await ask(path)
    expect(status).toBe(404)
    expect(body).toMatchObject({ error: 'Not Found', statusCode: 404, code: 'NOT_FOUND', meta: null })
  })

  it.each(['/v6.1/6/quote', '/swap/v6.1/6/quote', '/swap/v6.0/55/x', '/v6.0/x/quote', '/price/v1.1/6'])(
    'names the served chain when %s asks for another',
    async (path) => {
      const { status, body } = await ask(path)
      expect(status).toBe(404)
      expect(body.description).toBe('chain not found: this service serves 5')
    },
  )

  it('has a list of meta in every error of version 6.0, and null without numbers in the others', async () => {
    for (const label of ['v6.0', 'swap/v6.0']) expect((await ask(`/${label}/5/quote`)).body.meta).toEqual([])
    for (const label of ['v6.1', 'swap/v6.1', 'v3.0']) {
      expect((await ask(`/${label}/5/quote`)).body.meta).toBeNull()
    }
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'answers %s with METHOD_NOT_ALLOWED',
    async (method) => {
      const { status, headers, body } = await ask('/v6.1/5/quote', { method })
      expect(status).toBe(405)
      expect(headers.get('allow')).toBe('GET, HEAD')
      expect(body).toMatchObject({ error: 'Method Not Allowed', statusCode: 405, code: 'METHOD_NOT_ALLOWED' })
    },
  )

  it('hides internal details of an error from the client and reports the error to the operator', async () => {
    const told: [unknown, string][] = []
    const failing = handle(() => idle, { report: (error, during) => told.push([error, during]) })
    const query = `src=${somebody}&dst=0x${'33'.repeat(20)}&amount=1`
    const { status, body, text } = await failing(`/v6.1/5/quote?${query}`, { headers: { 'request-id': 'r' } })
    expect(status).toBe(500)
    expect(body).toEqual({
      error: 'Internal Server Error',
      description: 'the node does not answer',
      statusCode: 500,
      code: 'INTERNAL_SERVER_ERROR',
      requestId: 'r',
      meta: null,
    })
    expect(text).not.toContain('node-canary')
    expect(told).toHaveLength(1)
    expect(told[0]?.[1]).toBe('request r')
  })
})

describe('service before the first snapshot', () => {
  const notReady = handle(() => {
    throw new ServiceError('NOT_READY', 'the pools are still being read')
  })

  it.each([
    '/ready',
    '/v6.1/5/quote',
    '/v6.1/5/swap',
    '/v6.1/5/approve/spender',
    '/v6.1/5/approve/transaction',
    '/v6.1/5/approve/allowance',
    '/v6.1/5/liquidity-sources',
    '/v6.1/5/tokens',
  ])('answers %s with NOT_READY', async (path) => {
    const { status, body } = await notReady(path)
    expect(status).toBe(503)
    expect(body).toMatchObject({ error: 'Service Unavailable', statusCode: 503, code: 'NOT_READY' })
  })

  it('reports healthy', async () => {
    expect(await notReady('/health')).toMatchObject({ status: 200, body: { status: 'ok' } })
  })
})

it('reports ready with its block number', async () => {
  expect(await ask('/ready')).toMatchObject({ status: 200, body: { status: 'ok', block: 7 } })
})

it('answers HEAD like GET, without the body', async () => {
  const { status, headers, text } = await ask('/v6.1/5/tokens', { method: 'HEAD' })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json')
  expect(text).toBe('')
})

it('sends no CORS headers for version 6.1', async () => {
  const { headers } = await ask('/v6.1/5/tokens', { headers: { origin: 'https://page.example' } })
  expect(headers.get('access-control-allow-origin')).toBeNull()
})

describe('CORS for all versions', () => {
  const open = handle(() => idle, { hasCors: true, keys: new Set(['key']) })
  const origin = 'https://page.example'
  const paths = ['/v6.1/5/tokens', '/swap/v6.1/5/tokens', '/swap/v6.0/5/tokens', '/v6.0/5/tokens']

  it.each([...paths, '/v3.0/5/protocols', '/price/v1.1/5?currency=USD', '/openapi.json'])(
    'lets pages of any origin read %s and its errors',
    async (path) => {
      const authorization = 'Bearer key'
      const answered = await open(path, { headers: { origin, authorization } })
      expect(answered.status).toBe(200)
      const refused = await open(path.replace(/5.*/, '5/nothing'), { headers: { origin } })
      expect(refused.status).toBe(path === '/openapi.json' ? 200 : 403)
      for (const { headers } of [answered, refused]) {
        expect(headers.get('access-control-allow-origin')).toBe('*')
        expect(headers.get('access-control-expose-headers')).toBe('request-id,retry-after,x-route-bound')
        expect(headers.get('access-control-allow-credentials')).toBeNull()
      }
    },
  )

  it.each(paths)('answers the preflight of %s without a key', async (path) => {
    const headers = { origin, 'access-control-request-method': 'GET' }
    const asked = { ...headers, 'access-control-request-headers': 'authorization,content-type' }
    const { status, headers: answered } = await open(path, { method: 'OPTIONS', headers: asked })
    expect(status).toBe(204)
    expect(answered.get('access-control-allow-methods')).toBe('GET,HEAD')
    expect(answered.get('access-control-allow-headers')).toBe('authorization,request-id,content-type')
    expect(answered.get('access-control-max-age')).toBe('300')
  })

  it('does not let pages read metrics', async () => {
    const { status, headers } = await open('/metrics', { headers: { origin, authorization: 'Bearer key' } })
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('API keys', () => {
  const keyed = handle(() => idle, { keys: new Set(['right', 'other']) })
  const path = '/v6.1/5/tokens'

  it('accepts a request with a configured key, and health checks without one', async () => {
    expect(await keyed(path, { headers: { authorization: 'Bearer right' } })).toMatchObject({ status: 200 })
    expect(await keyed(path, { headers: { authorization: 'bearer other' } })).toMatchObject({ status: 200 })
    expect(await keyed('/health')).toMatchObject({ status: 200 })
  })

  it.each([undefined, 'Bearer wrong', 'Bearer ', 'right', 'Basic right'])(
    'forbids a request with authorization %s',
    async (authorization) => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
      const { status, body } = await keyed(path, { headers })
      expect(status).toBe(403)
      expect(body).toMatchObject({ error: 'Forbidden', statusCode: 403, code: 'FORBIDDEN', meta: null })
    },
  )

  it('accepts any authorization when no keys are configured', async () => {
    expect(await ask(path, { headers: { authorization: 'Bearer anything' } })).toMatchObject({ status: 200 })
  })
})
