import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { listen, type Socket } from '../../../service/gate/socket.ts'
import type { Handler } from '../../../service/handler.ts'
import { createIdle, idle } from '../idle.ts'

const sockets: Socket[] = []
afterEach(async () => {
  await Promise.all(sockets.splice(0).map((socket) => socket.stop()))
})

async function serve(handler: Handler, graceMs?: number) {
  const options = graceMs === undefined ? {} : { graceMs }
  const socket = await listen(handler, { port: 0, host: '127.0.0.1', ...options })
  sockets.push(socket)
  return { socket, url: `http://127.0.0.1:${socket.port}/` }
}

/** A connection on which anything can be said. `said` is what came back so far, `closed` when the other side closes. */
function dial({ port }: Socket) {
  const wire = connect(port, '127.0.0.1')
  let said = ''
  wire.on('data', (text) => {
    said += text
  })
  wire.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => wire.once('close', () => resolve()))
  return { wire, said: () => said, closed }
}

const get = 'GET / HTTP/1.1\r\nHost: service\r\n\r\n'

/** A handler that answers when told to, and refuses when it hears that the service closes. */
function patient() {
  let answer = () => {}
  let asked = 0
  const handler: Handler = async (_request, { isClosing } = {}) => {
    asked++
    if (isClosing) return new Response('closing', { status: 503 })
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return new Response('done')
  }
  return { handler, answer: () => answer(), asked: () => asked }
}

it('tells where a request comes from', async () => {
  const { url } = await serve((_request, { remoteAddress } = {}) => new Response(remoteAddress))
  expect(await (await fetch(url)).text()).toBe('127.0.0.1')
})

it('tells when the client hangs up', async () => {
  let isAsked = false
  let gone = false
  const { socket } = await serve(async ({ signal }) => {
    isAsked = true
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    gone = true
    return new Response()
  })
  const { wire } = dial(socket)
  wire.write(get)
  wire.end()
  await expect.poll(() => isAsked).toBe(true)
  wire.destroy()
  await expect.poll(() => gone).toBe(true)
})

describe('what is no request', () => {
  it.each([
    ['garbage', 'nonsense\r\n\r\n', 400],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['a host that is none', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n', 400],
    ['a null byte', 'GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a backslash in the path', 'GET /\\a HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a target that is no path', 'GET a HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a header without end', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a URL without end', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
  ])('gets the error body too: %s', async (_what, text, status) => {
    const { socket } = await serve(() => new Response('fine'))
    const { wire, said, closed } = dial(socket)
    wire.write(text.replace(/\r\n\r\n$/, '\r\nConnection: close\r\n\r\n'))
    await closed
    const [head = '', body = ''] = said().split('\r\n\r\n')
    expect(head).toContain(`HTTP/1.1 ${status} `)
    expect(JSON.parse(body)).toMatchObject({ statusCode: status, code: expect.any(String), meta: null })
    expect(body).not.toMatch(/ at |node_modules/)
  })
})

describe('headers', () => {
  it.each([
    [
      'given twice',
      'Request-Id: a\r\nRequest-Id: b\r\nAuthorization: Bearer x\r\nAuthorization: Bearer y\r\n',
    ],
    ['with bytes that are no text', 'Request-Id: \u00ff\u0080\r\nAuthorization: Bearer \u00ff\r\n'],
    ['that are long', `Request-Id: ${'r'.repeat(15_000)}\r\n`],
    ['that are empty', 'Request-Id:\r\nAuthorization:\r\nX-Forwarded-For:\r\nHost:\r\n'],
    ['of a body that never comes', 'Content-Length: 5\r\n'],
  ])('%s break nothing', async (_what, headers) => {
    const { socket } = await serve(createIdle(() => idle, { keys: new Set(['right']), proxies: 1 }))
    for (const path of ['/ready', '/v6.1/5/tokens']) {
      const { wire, said, closed } = dial(socket)
      wire.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}Connection: close\r\n\r\n`, 'latin1')
      await closed
      expect(said()).toMatch(/^HTTP\/1\.1 (200|400|403) /)
    }
  })
})

describe('stopping', () => {
  it('lets a running request finish and refuses others meanwhile', async () => {
    const { handler, answer, asked } = patient()
    const { socket, url } = await serve(handler)
    const running = fetch(url)
    await expect.poll(asked).toBe(1)
    const stopped = socket.stop()
    const refused = await fetch(url)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('connection')).toBe('close')
    answer()
    const finished = await running
    expect(finished.headers.get('connection')).toBe('close')
    expect(await finished.text()).toBe('done')
    await stopped
    await expect(fetch(url)).rejects.toThrow()
  })

  it('is not held up by a connection that is kept open', async () => {
    const { socket } = await serve(() => new Response('fine'))
    const { wire, said, closed } = dial(socket)
    wire.write(get)
    await expect.poll(said).toContain('fine')
    await socket.stop()
    await closed
  })

  it('waits no longer than it should for a request that does not end', async () => {
    const { handler, asked } = patient()
    const { socket, url } = await serve(handler, 50)
    const running = fetch(url)
    running.catch(() => undefined)
    await expect.poll(asked).toBe(1)
    await socket.stop()
    await expect(running).rejects.toThrow()
  })
})
