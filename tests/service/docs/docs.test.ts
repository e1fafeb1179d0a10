import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { errorResponses } from '../../../service/api/errorResponses.ts'
import { describeInterface } from '../../../service/api/openapi.ts'
import { createHandler, type HandlerOptions } from '../../../service/app.ts'
import { parseConfig } from '../../../service/config.ts'
import { docs } from '../../../service/docs/docs.ts'
import { ServiceError } from '../../../service/errors.ts'
import { connectRpc } from '../../../service/indexer/node.ts'
import { createTokens, nativeTokenAddress } from '../../../service/tokens/registry.ts'
import { idle } from '../idle.ts'

const somebody = `0x${'11'.repeat(20)}`
const nasty = '<img src=x onerror="alert(1)">'
const config = parseConfig(
  {
    chainId: 5,
    name: nasty,
    coin: { symbol: nasty, name: 'Ether' },
    wrapped: somebody,
    router: `0x${'22'.repeat(20)}`,
    multicall: somebody,
    permit2: somebody,
    connectors: [],
    factories: [],
    tokens: [],
  },
  'test',
)
const app = docs(config)

async function get(path: string) {
  const response = await app.request(`http://service${path}`)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const { text: page, headers } = await get('/docs')

function attributes(name: string): string[] {
  return [...page.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value]) => value ?? '')
}

it('is a page for people beside a document for programs', async () => {
  expect(headers.get('content-type')).toMatch(/^text\/html/)
  const { status, headers: others, text } = await get('/openapi.json')
  expect(status).toBe(200)
  expect(others.get('content-type')).toMatch(/^application\/json/)
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(describeInterface(config))))
})

describe('at a service that asks for keys and has read no pool yet', () => {
  const node = connectRpc('http://127.0.0.1:1')
  const service = {
    config,
    node,
    tokens: createTokens(config, node),
    engine() {
      throw new ServiceError('NOT_READY', 'the pools are still being read')
    },
  }
  const handler = createHandler(service, { keys: new Set(['key']) })
  const ask = async (path: string, init?: RequestInit) => handler(new Request(`http://service${path}`, init))

  it.each(['/docs', '/openapi.json'])('%s is there for everybody', async (path) => {
    expect((await ask(path)).status).toBe(200)
    expect((await ask(path, { method: 'HEAD' })).status).toBe(200)
    expect((await ask(path, { method: 'POST' })).status).toBe(405)
  })

  it('a page reads the refusals of version 3.0, and may ask whether it can send a key', async () => {
    const path = '/v3.0/5/protocols'
    const refused = await ask(path)
    expect(refused.status).toBe(403)
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    expect(refused.headers.get('cache-control')).toBe('no-store')
    const notReady = await ask(path, { headers: { authorization: 'Bearer key' } })
    expect(notReady.status).toBe(503)
    expect(notReady.headers.get('access-control-allow-origin')).toBe('*')
    const preflight = await ask(path, {
      method: 'OPTIONS',
      headers: { origin: 'https://page.example', 'access-control-request-method': 'GET' },
    })
    expect(preflight.status).toBe(204)
  })
})

it('shows every operation, parameter and code of the document', () => {
  for (const [path, { get }] of Object.entries(describeInterface(config).paths)) {
    expect(page).toContain(`<code>${path}</code>`)
    expect(attributes('id')).toContain(get.operationId)
    for (const { name } of get.parameters) expect(page).toContain(name)
  }
  const codes = Object.keys(errorResponses).filter((code) => code !== 'CANCELLED')
  for (const code of codes) expect(attributes('id')).toContain(code)
})

it('links to nothing that is not there, and to no other host', () => {
  const ids = attributes('id')
  expect(new Set(ids).size).toBe(ids.length)
  for (const target of attributes('href')) {
    if (target.startsWith('#')) expect(ids).toContain(target.slice(1))
    else expect(target).toMatch(/^(\/openapi\.json$|data:image\/svg\+xml,)/)
  }
  expect(attributes('src')).toEqual([])
})

it('runs nothing and loads nothing: its policy allows its own style alone', () => {
  const policy = headers.get('content-security-policy') ?? ''
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
  expect(page).not.toMatch(/<script|\son\w+="|\sstyle="|@import|url\(/i)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

it('escapes what it is told of the chain', () => {
  expect(page).not.toContain('<img')
  expect(page).toContain('Sluice on &lt;img src=x onerror=&quot;alert(1)&quot;&gt;')
})

describe('what a request says of itself', () => {
  const node = connectRpc('http://127.0.0.1:1')
  const service = { config, node, tokens: createTokens(config, node), engine: () => idle }
  const hostile = 'evil-canary.example'
  const headers = {
    host: hostile,
    'x-forwarded-host': hostile,
    'x-forwarded-proto': hostile,
    'x-forwarded-for': hostile,
    forwarded: `host=${hostile}`,
    'x-original-url': `http://${hostile}/`,
    'x-rewrite-url': `/${hostile}`,
    origin: `https://${hostile}`,
    referer: `https://${hostile}/`,
    authorization: `Bearer ${hostile}`,
    'user-agent': hostile,
    'accept-language': hostile,
  }
  const paths = ['/docs', '/openapi.json', '/v3.0/5/protocols', '/nowhere', '/v6.1/5/quote']

  it.each(paths)('is repeated nowhere in the answer of %s', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST']) {
      const request = new Request(`http://${hostile}${path}`, { method, headers })
      const response = await createHandler(service)(request)
      const said = JSON.stringify([...response.headers]) + (await response.text())
      expect(said, method).not.toContain('canary')
    }
  })

  it('is repeated in the logos of tokens as their origin alone, and not even there with a public URL', async () => {
    const ask = async (options: HandlerOptions) => {
      const request = new Request(`http://${hostile}/v6.1/5/tokens`, { headers })
      const response = await createHandler(service, options)(request)
      return { head: JSON.stringify([...response.headers]), text: await response.text() }
    }
    const own = await ask({})
    const { logoURI } = JSON.parse(own.text).tokens[nativeTokenAddress]
    expect(new URL(logoURI).origin).toBe(`http://${hostile}`)
    expect(own.head + own.text.replaceAll(`http://${hostile}/v6.1/5/tokens/`, '')).not.toContain('canary')
    const named = await ask({ publicUrl: 'https://public.example' })
    expect(named.head + named.text).not.toContain('canary')
  })

  it.each(['/docs', '/openapi.json', '/v3.0/5/protocols'])(
    'names its id only to caches that keep answers of %s by it',
    async (path) => {
      const request = new Request(`http://service${path}`, { headers: { 'request-id': 'mine' } })
      const response = await createHandler(service)(request)
      expect(response.headers.get('cache-control')).toMatch(/^public/)
      expect(response.headers.get('vary')?.split(', ')).toContain('request-id')
    },
  )
})

it('names the public URL where it is known, and the origin of the page where it is not', async () => {
  expect(page).toContain('curl -G "$SERVICE/v6.1/5/quote"')
  const known = docs(config, 'https://swap.example')
  const text = await (await known.request('http://elsewhere.example/docs')).text()
  expect(text).toContain('curl -G "https://swap.example/v6.1/5/quote"')
  expect(text).toContain('<code>https://swap.example</code>')
  const document = await (await known.request('/openapi.json')).json()
  expect(document.servers).toEqual([{ url: 'https://swap.example' }])
})

it('closes what it opens', () => {
  const open: string[] = []
  const withoutStyle = page.replace(/<style>[\s\S]*?<\/style>/, '')
  for (const [, closing, name = '', rest = ''] of withoutStyle.matchAll(/<(\/?)([a-z][a-z0-9]*)([^>]*)>/g)) {
    if (['meta', 'link'].includes(name) || rest.endsWith('/')) continue
    if (closing === '') open.push(name)
    else expect(open.pop()).toBe(name)
  }
  expect(open).toEqual([])
})
