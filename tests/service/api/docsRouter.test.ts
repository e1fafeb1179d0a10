import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { type Browser, chromium, type Locator, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath } from '../../../dev/browser/browser.ts'
import { createDocsRouter } from '../../../service/api/docsRouter.ts'
import { errorResponses } from '../../../service/api/errorResponses.ts'
import { describeInterface } from '../../../service/api/openapi.ts'
import { createHandler, type HandlerOptions } from '../../../service/app.ts'
import { parseConfig } from '../../../service/config.ts'
import { ServiceError } from '../../../service/errors.ts'
import { connectRpc } from '../../../service/indexer/node.ts'
import { createTokens, nativeTokenAddress } from '../../../service/tokens/registry.ts'
import { idle } from '../../helpers/service/idleService.ts'

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
const app = createDocsRouter(config)

async function get(path: string) {
  const response = await app.request(`http://service${path}`)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const { text: page, headers } = await get('/docs')

it('serves an HTML page at /docs and the OpenAPI document at /openapi.json', async () => {
  expect(headers.get('content-type')).toMatch(/^text\/html/)
  const { status, headers: others, text } = await get('/openapi.json')
  expect(status).toBe(200)
  expect(others.get('content-type')).toMatch(/^application\/json/)
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(describeInterface(config))))
})

describe('documentation of a service with API keys before the first snapshot', () => {
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

  it.each(['/docs', '/docs/rapidoc-min.js', '/openapi.json'])(
    'serves %s without a key, for GET and HEAD only',
    async (path) => {
      expect((await ask(path)).status).toBe(200)
      expect((await ask(path, { method: 'HEAD' })).status).toBe(200)
      expect((await ask(path, { method: 'POST' })).status).toBe(405)
    },
  )

  it('lets web pages read the errors of version 3.0, and answers their CORS preflight', async () => {
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

it('sends a content security policy that allows only its own scripts and no other host', () => {
  const policy = headers.get('content-security-policy') ?? ''
  const [, script = ''] = /<script type="module">([\s\S]*?)<\/script>/.exec(page) ?? []
  const hash = createHash('sha256').update(script).digest('base64')
  expect(policy.split('; ').filter((directive) => !directive.startsWith('style-src '))).toEqual([
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash}'`,
    "style-src-attr 'unsafe-inline'",
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
  expect(policy).toMatch(/; style-src( 'sha256-[\w+/]{43}='){2};/)
  expect(page.match(/<script[^>]*>/g)).toEqual([
    '<script type="module" src="/docs/rapidoc-min.js">',
    '<script type="module">',
  ])
  expect(page).not.toMatch(/https?:|\son\w+="|<style|@import|url\(/i)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
})

it('serves the page script compressed to clients that accept gzip, cached as long as the page', async () => {
  const plain = await app.request('http://service/docs/rapidoc-min.js')
  expect(plain.headers.get('content-type')).toMatch(/^text\/javascript/)
  expect(plain.headers.get('content-encoding')).toBeNull()
  const packed = await app.request('http://service/docs/rapidoc-min.js', {
    headers: { 'accept-encoding': 'gzip' },
  })
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  for (const { headers, body } of [plain, packed]) {
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('vary')).toBe('Accept-Encoding')
    await body?.cancel()
  }
  expect(Number(packed.headers.get('content-length'))).toBeLessThan(250_000)
  const refusing = { 'accept-encoding': 'gzip;q=0, identity' }
  const unpacked = await app.request('http://service/docs/rapidoc-min.js', { headers: refusing })
  expect(await unpacked.text()).toContain('rapi-doc')
})

describe('documentation page in a browser', () => {
  let server: Server
  let browser: Browser
  beforeAll(async () => {
    server = createServer(getRequestListener(app.fetch))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    browser = await chromium.launch({
      executablePath: chromiumPath(),
      args: ['--disable-background-networking', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    })
  })
  afterAll(async () => {
    await browser?.close()
    await new Promise((resolve) => server.close(resolve))
  })

  /** Opens the page; `complaints` are what its console says and what its policy stops. */
  async function open(colorScheme: 'light' | 'dark' = 'light') {
    const tab = await browser.newPage({ colorScheme })
    const asked: string[] = []
    const complaints: string[] = []
    tab.on('request', (request) => asked.push(request.url()))
    tab.on('console', (message) => complaints.push(message.text()))
    tab.on('pageerror', (error) => complaints.push(error.message))
    tab.on('dialog', (dialog) => complaints.push(dialog.message()))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await tab.goto(`${origin}/docs`)
    await find(tab, '/v3.0/5/protocols/images/{id}').waitFor()
    return { tab, asked, complaints, origin }
  }

  it.each(['light', 'dark'] as const)(
    'renders in %s colours and requests only its own service',
    async (scheme) => {
      const { tab, asked, complaints, origin } = await open(scheme)
      expect(asked).toEqual([`${origin}/docs`, `${origin}/docs/rapidoc-min.js`, `${origin}/openapi.json`])
      expect(complaints).toEqual([])
      const red = await tab
        .locator('rapi-doc')
        .evaluate((docs) =>
          /\d+/.exec(getComputedStyle(docs.shadowRoot?.querySelector('#the-main-body') ?? docs).color),
        )
      expect(Number(red?.[0]) < 127, String(red)).toBe(scheme === 'light')
      await tab.close()
    },
  )

  it('shows the path, summary, parameters and curl example of every operation', async () => {
    const { tab } = await open()
    const shown = await textOf(tab.locator('rapi-doc'))
    const document = JSON.parse((await get('/openapi.json')).text)
    const operations = Object.entries<{ get: Operation }>(document.paths)
    expect(operations).toHaveLength(36)
    for (const [path, { get }] of operations) {
      expect(shown).toContain(path)
      expect(shown).toContain(get.summary)
      for (const { name } of get.parameters) expect(shown).toContain(name)
      for (const { source } of get['x-codeSamples']) expect(shown).toContain(source.split(' \\')[0])
    }
    await tab.close()
  })

  it('shows the errors of an operation when their status is selected', async () => {
    const { tab } = await open()
    const shown: string[] = []
    const swap = find(tab, '/v6.1/5/swap')
    for (const status of ['400', '403', '429', '431', '500', '503']) {
      await swap.locator('button', { hasText: status }).first().click()
      shown.push(await textOf(swap))
    }
    const unseen = ['CANCELLED', 'METHOD_NOT_ALLOWED', 'NOT_FOUND']
    const codes = Object.keys(errorResponses).filter((code) => !unseen.includes(code))
    for (const code of codes) expect(shown.join()).toContain(code)
    await tab.close()
  })

  it('links to no other host', async () => {
    const { tab, origin } = await open()
    const targets = await tab
      .locator('[href], [src]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? one.getAttribute('src') ?? ''))
    expect(targets).toContain('/openapi.json')
    for (const target of targets) {
      const { protocol, origin: to } = new URL(target, origin)
      expect(protocol === 'data:' || to === origin, target).toBe(true)
    }
    await tab.close()
  })

  it('requests the example of an operation when the reader tries it', async () => {
    const { tab, asked, origin, complaints } = await open()
    const operation = find(tab, '/v6.1/5/approve/spender')
    await operation.locator('button', { hasText: /try/i }).click()
    await expect.poll(() => asked).toContain(`${origin}/v6.1/5/approve/spender`)
    // This server has the documentation alone.
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
    await tab.close()
  })

  it('shows markup in the name of the chain as text', async () => {
    const { tab, complaints } = await open()
    expect(await textOf(tab.locator('rapi-doc'))).toContain(`Sluice on ${nasty}`)
    expect(await tab.locator('img').count()).toBe(0)
    expect(complaints).toEqual([])
    await tab.close()
  })
})

type Operation = {
  summary: string
  parameters: { name: string }[]
  'x-codeSamples': { source: string }[]
}

/** Finds an operation on the page. */
function find(tab: Page, path: string) {
  return tab.locator(`[id="get-${path.replace(/[{}]/g, '-')}"]`)
}

/** Returns what an element shows, components inside it included. */
function textOf(element: Locator): Promise<string> {
  return element.evaluate((root) => {
    const read = (node: Node): string => {
      if (node instanceof Text) return node.data
      if (node instanceof HTMLStyleElement) return ''
      const shadow = node instanceof Element ? node.shadowRoot : null
      return [...(shadow ?? node).childNodes].map(read).join('')
    }
    return read(root)
  })
}

it('escapes markup in the name of the chain', () => {
  expect(page).not.toContain('<img')
  expect(page).toContain('Sluice on &lt;img src=x onerror=&quot;alert(1)&quot;&gt;')
})

describe('request headers', () => {
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
  const paths = [
    '/docs',
    '/docs/rapidoc-min.js',
    '/openapi.json',
    '/v3.0/5/protocols',
    '/nowhere',
    '/v6.1/5/quote',
  ]

  it.each(paths)('echoes no request header in the response of %s', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST']) {
      const request = new Request(`http://${hostile}${path}`, { method, headers })
      const response = await createHandler(service)(request)
      const said = JSON.stringify([...response.headers]) + (await response.text())
      expect(said, method).not.toContain('canary')
    }
  })

  it('uses the host of the request only in token logo URLs, and not at all with a public URL', async () => {
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

  it.each(['/docs', '/docs/rapidoc-min.js', '/openapi.json', '/v3.0/5/protocols'])(
    'varies cacheable responses of %s by request-id',
    async (path) => {
      const request = new Request(`http://service${path}`, { headers: { 'request-id': 'mine' } })
      const response = await createHandler(service)(request)
      expect(response.headers.get('cache-control')).toMatch(/^public/)
      expect(response.headers.get('vary')?.split(', ')).toContain('request-id')
    },
  )
})

it('uses the public URL in examples and servers if set, otherwise the origin of the page', async () => {
  const quoteOf = (document: { paths: Record<string, { get: Operation }> }) =>
    document.paths['/v6.1/5/quote']?.get['x-codeSamples'][0]?.source
  const unknown = JSON.parse((await get('/openapi.json')).text)
  expect(quoteOf(unknown)).toContain('curl -G "$SERVICE/v6.1/5/quote"')
  expect(unknown.servers).toEqual([{ url: '/' }])
  const known = createDocsRouter(config, 'https://swap.example')
  const document = await (await known.request('http://elsewhere.example/openapi.json')).json()
  expect(quoteOf(document)).toContain('curl -G "https://swap.example/v6.1/5/quote"')
  expect(document.servers).toEqual([{ url: 'https://swap.example' }])
})

it('closes every HTML element', () => {
  const open: string[] = []
  const withoutScript = page.replace(/(<script type="module">)[\s\S]*?<\/script>/, '$1</script>')
  for (const [, closing, name = '', rest = ''] of withoutScript.matchAll(/<(\/?)([a-z][a-z0-9]*)([^>]*)>/g)) {
    if (['meta', 'link'].includes(name) || rest.endsWith('/')) continue
    if (closing === '') open.push(name)
    else expect(open.pop()).toBe(name)
  }
  expect(open).toEqual([])
})
