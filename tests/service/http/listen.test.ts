import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { Handler } from '../../../service/app.ts'
import { type AdmissionLimits, createAdmission } from '../../../service/http/admission.ts'
import { createClientOf } from '../../../service/http/clients.ts'
import { defaultMaxConnections, descriptorLimit } from '../../../service/http/connections.ts'
import { listen, type Socket, type SocketOptions } from '../../../service/http/listen.ts'
import { createIdle, idle } from '../../helpers/service/idleService.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

const sockets: Socket[] = []
afterEach(async () => {
  await Promise.all(sockets.splice(0).map((socket) => socket.stop()))
})

async function serve(handler: Handler, options: Partial<SocketOptions> = {}) {
  const socket = await listen(handler, { port: 0, host: '127.0.0.1', ...options })
  sockets.push(socket)
  return { socket, url: `http://127.0.0.1:${socket.port}/` }
}

function dial({ port }: Socket, localAddress = '127.0.0.1', holdsOpen = false) {
  const wire = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
  let said = ''
  wire.on('data', (text) => {
    said += text
  })
  wire.on('error', () => undefined)
  wire.once('end', () => holdsOpen || wire.end())
  const closed = new Promise<void>((resolve) => wire.once('close', () => resolve()))
  return { wire, said: () => said, closed }
}

const get = 'GET / HTTP/1.1\r\nHost: service\r\n\r\n'

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

it('passes the remote address of a request to the handler', async () => {
  const { url } = await serve((_request, { remoteAddress } = {}) => new Response(remoteAddress))
  expect(await (await fetch(url)).text()).toBe('127.0.0.1')
})

it('aborts the signal of a request when the client disconnects', async () => {
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

describe('malformed requests', () => {
  it.each([
    ['garbage', 'nonsense\r\n\r\n', 400],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['a host that is none', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n', 400],
    ['a null byte', 'GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a backslash in the path', 'GET /\\a HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a target that is no path', 'GET a HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a header without end', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a URL without end', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
  ])('answers with the error body: %s', async (_what, text, status) => {
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

describe('unusual headers', () => {
  it.each([
    [
      'given twice',
      'Request-Id: a\r\nRequest-Id: b\r\nAuthorization: Bearer x\r\nAuthorization: Bearer y\r\n',
    ],
    ['with bytes that are no text', 'Request-Id: \u00ff\u0080\r\nAuthorization: Bearer \u00ff\r\n'],
    ['that are long', `Request-Id: ${'r'.repeat(15_000)}\r\n`],
    ['that are empty', 'Request-Id:\r\nAuthorization:\r\nX-Forwarded-For:\r\nHost:\r\n'],
    ['of a body that never comes', 'Content-Length: 5\r\n'],
  ])('answers a request with headers %s', async (_what, headers) => {
    const { socket } = await serve(createIdle(() => idle, { keys: new Set(['right']), proxies: 1 }))
    for (const path of ['/ready', '/v6.1/5/tokens']) {
      const { wire, said, closed } = dial(socket)
      wire.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}Connection: close\r\n\r\n`, 'latin1')
      await closed
      expect(said()).toMatch(/^HTTP\/1\.1 (200|400|403) /)
    }
  })
})

/** Milliseconds; far above the limits under test. */
const within = 60_000

const times = { requestMs: 300, idleMs: 400, responseMs: 400, lingerMs: 100, pendingMs: 300 }

/** More than the socket buffers hold. */
const long = 'x'.repeat(30_000_000)

describe('connections held open by the client', () => {
  /** Writing to a destroyed end causes a reset. */
  async function isDestroyed(wire: ReturnType<typeof dial>['wire'], within: number): Promise<boolean> {
    let isReset = false
    wire.once('error', () => {
      isReset = true
    })
    for (const end = Date.now() + within; Date.now() < end && !isReset && !wire.destroyed; ) {
      wire.write('x')
      await sleep(50)
    }
    return isReset || wire.destroyed
  }

  const head = 'GET / HTTP/1.1\r\nHost: a\r\n'
  it.each([
    ['that says nothing', ''],
    ['whose headers do not end', head],
    ['whose body does not come', `${head}Content-Length: 100000\r\n\r\n`],
    ['whose chunked body does not end', `${head}Transfer-Encoding: chunked\r\n\r\nffff\r\n`],
    ['that posts without an end', `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n`],
    ['that is no request', 'nonsense\r\n\r\n'],
    ['that is larger than it may be', `${head}X: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['that asked for the end', `${head}Connection: close\r\n\r\n`],
  ])('destroys a connection: %s', async (_kind, text) => {
    const { socket } = await serve(() => new Response('fine'), { times })
    const { wire } = dial(socket, undefined, true)
    wire.write(text)
    // Before its half is closed, the service would read the writes below.
    await new Promise((resolve) => {
      for (const over of ['end', 'error', 'close']) wire.once(over, resolve)
    })
    expect(await isDestroyed(wire, within)).toBe(true)
  })

  it('destroys a connection that sends a header a byte at a time', async () => {
    const { socket } = await serve(() => new Response('fine'), { times })
    const { wire } = dial(socket, undefined, true)
    wire.write(`${head}X: `)
    expect(await isDestroyed(wire, within)).toBe(true)
  })

  it('destroys a connection that sends empty lines between two requests', async () => {
    const { socket } = await serve(() => new Response('fine'), { times })
    const { wire, said } = dial(socket, undefined, true)
    wire.write(get)
    await expect.poll(said).toContain('fine')
    let isOver = false
    wire.once('close', () => {
      isOver = true
    })
    for (const end = Date.now() + within; Date.now() < end && !isOver; ) {
      wire.write('\r\n')
      await sleep(50)
    }
    expect(isOver).toBe(true)
  })

  it('destroys a connection that does not read its response', async () => {
    const { socket } = await serve(() => new Response(long), { times })
    const { wire } = dial(socket, undefined, true)
    wire.pause()
    wire.write(get)
    await sleep(2_000)
    expect(await isDestroyed(wire, within)).toBe(true)
  })

  it('destroys a connection that sends many requests without reading responses', async () => {
    let asked = 0
    const { socket } = await serve(
      () => {
        asked++
        return new Promise(() => undefined)
      },
      { times },
    )
    const { wire, closed } = dial(socket)
    wire.write(get.repeat(500))
    await closed
    expect(asked).toBeLessThan(50)
  })
})

describe('connection limits', () => {
  async function openOnes(dialled: ReturnType<typeof dial>[]): Promise<number> {
    const count = () => dialled.filter(({ wire }) => !wire.destroyed).length
    let last = -1
    while (last !== count()) {
      last = count()
      await sleep(300)
    }
    return last
  }

  it('limits the connections of one address and closes idle ones in favour of newer ones', async () => {
    const { socket, url } = await serve(() => new Response('fine'), { maxConnections: 40 })
    const half = Array.from({ length: 30 }, () => dial(socket, '127.0.0.2'))
    await expect.poll(() => openOnes(half)).toBe(10)
    const later = dial(socket, '127.0.0.2')
    later.wire.write(get)
    await expect.poll(later.said).toContain('fine')
    expect((await fetch(url)).status).toBe(200)
  })

  it('keeps connections with running requests when the limit is reached', async () => {
    const { handler, asked } = patient()
    const { socket } = await serve(handler, { maxConnections: 40, graceMs: 10 })
    const busy = Array.from({ length: 10 }, () => dial(socket, '127.0.0.2'))
    for (const { wire } of busy) wire.write(get)
    await expect.poll(asked).toBe(10)
    const late = dial(socket, '127.0.0.2')
    await late.closed
    expect(await openOnes(busy)).toBe(10)
  })

  it('serves a connection over the share of its address when another one closes', async () => {
    const { handler, asked, answer } = patient()
    const { socket } = await serve(handler, { maxConnections: 40, graceMs: 10 })
    const busy = Array.from({ length: 10 }, () => dial(socket, '127.0.0.2'))
    for (const { wire } of busy) wire.write(get)
    await expect.poll(asked).toBe(10)
    const late = dial(socket, '127.0.0.2')
    late.wire.write(get)
    await sleep(700)
    expect(asked()).toBe(10)
    busy[3]?.wire.destroy()
    await expect.poll(asked).toBe(11)
    answer()
    await expect.poll(late.said).toContain('done')
  })

  it('destroys a connection that waited too long for a place', async () => {
    const { handler, asked } = patient()
    const { socket } = await serve(handler, { maxConnections: 40, graceMs: 10, times })
    const busy = Array.from({ length: 10 }, () => dial(socket, '127.0.0.2'))
    for (const { wire } of busy) wire.write(get)
    await expect.poll(asked).toBe(10)
    const late = dial(socket, '127.0.0.2')
    late.wire.write(get)
    await late.closed
    expect([late.said(), asked()]).toEqual(['', 10])
  })

  it('answers pipelined requests one after another', async () => {
    let now = 0
    const { socket } = await serve(async ({ url }) => {
      now++
      const most = now
      await sleep(1)
      now--
      return new Response(`${new URL(url).pathname} ${most};`)
    })
    const { wire, said } = dial(socket)
    wire.write(['/a', '/b', '/c', '/d'].map((path) => get.replace('/', path)).join(''))
    await expect.poll(said).toContain('/d')
    expect(said().match(/\/\w \d+;/g)).toEqual(['/a 1;', '/b 1;', '/c 1;', '/d 1;'])
  })

  it('frees the places of pipelined requests when their connection closes', async () => {
    const { handler, asked } = patient()
    const { socket } = await serve(handler, {
      maxConnections: 40,
      graceMs: 1e6,
      admission: admit({ perClient: 1, waitMs: 1e6 }),
    })
    for (const count of [1, 2, 3]) {
      const { wire, closed } = dial(socket)
      wire.write(get.repeat(8))
      await expect.poll(asked).toBe(count)
      wire.destroy()
      await closed
    }
    await socket.stop()
  })

  it('accepts another address, however many connections other addresses hold', async () => {
    const { socket } = await serve(() => new Response('fine'), { maxConnections: 40 })
    const half = Array.from({ length: 120 }, (_, i) => dial(socket, `127.0.0.${2 + (i % 12)}`))
    await expect.poll(() => openOnes(half)).toBeLessThanOrEqual(40)
    const other = dial(socket, '127.0.0.99')
    other.wire.write(get)
    await expect.poll(other.said).toContain('fine')
  })

  it('applies no limit per address behind trusted proxies', async () => {
    const { socket } = await serve(() => new Response('fine'), { maxConnections: 40, isBehindProxies: true })
    expect(await openOnes(Array.from({ length: 40 }, () => dial(socket)))).toBe(40)
    expect(await openOnes(Array.from({ length: 40 }, () => dial(socket)))).toBe(40)
  })

  it('defaults to fewer connections than the limit of open files', () => {
    expect(defaultMaxConnections()).toBeLessThan(descriptorLimit())
    expect(defaultMaxConnections()).toBeGreaterThanOrEqual(16)
  })
})

function admit(limits: Partial<AdmissionLimits>, proxies = 0) {
  return createAdmission({ clientOf: createClientOf(undefined, proxies), limits })
}

describe('one client with many connections', () => {
  /** Holds the answers to one client back until `open`. */
  function holdBack(held: string) {
    const begun: string[] = []
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const handler: Handler = async ({ headers }, { remoteAddress = '' } = {}) => {
      const client = headers.get('x-forwarded-for') ?? remoteAddress
      begun.push(client)
      if (client === held) await gate
      return new Response('fine')
    }
    return { handler, begun, open: () => open() }
  }

  it('loses no request of a quiet client, and is refused more than its share', async () => {
    const { handler, begun, open } = holdBack('127.0.0.2')
    const { socket, url } = await serve(handler, { admission: admit({ perClient: 4, waitMs: 500 }) })
    const flood = Array.from({ length: 200 }, () => dial(socket, '127.0.0.2'))
    for (const { wire } of flood) wire.write(get)
    for (let i = 0; i < 10; i++) expect((await fetch(url)).status).toBe(200)
    const answered = () => flood.filter(({ said }) => said() !== '').map(({ said }) => said())
    await expect.poll(() => answered().length).toBe(196)
    expect(begun.filter((client) => client === '127.0.0.2')).toHaveLength(4)
    const waits = answered().map((text) => Number(/^HTTP\/1.1 429 [\s\S]*retry-after: (\d+)/.exec(text)?.[1]))
    expect([Math.min(...waits), Math.max(...waits)]).toEqual([1, 60])
    open()
    await expect.poll(() => answered().length).toBe(200)
  })

  it.each([
    [1, 200],
    [0, 429],
  ])('is told apart by X-Forwarded-For of %i own proxies', async (proxies, quiet) => {
    const { handler, begun, open } = holdBack('1.1.1.1, 203.0.113.8')
    const admission = admit({ perClient: 2, waitMs: 200 }, proxies)
    const { url } = await serve(handler, { admission, isBehindProxies: true })
    const from = async (client: string) => {
      return (await fetch(url, { headers: { 'x-forwarded-for': `1.1.1.1, ${client}` } })).status
    }
    const statuses: number[] = []
    const busy = Array.from({ length: 20 }, async () => statuses.push(await from('203.0.113.8')))
    await expect.poll(() => begun).toHaveLength(2)
    expect(await from('203.0.113.9')).toBe(quiet)
    await expect.poll(() => statuses).toEqual(Array(18).fill(429))
    open()
    await Promise.all(busy)
    expect(statuses.slice(18)).toEqual([200, 200])
  })
})

describe('stopping', () => {
  it('lets a running request finish and rejects others meanwhile', async () => {
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

  it('closes an idle keep-alive connection', async () => {
    const { socket } = await serve(() => new Response('fine'))
    const { wire, said, closed } = dial(socket)
    wire.write(get)
    await expect.poll(said).toContain('fine')
    await socket.stop()
    await closed
  })

  it('stops after the grace period when a request does not end', async () => {
    const { handler, asked } = patient()
    const { socket, url } = await serve(handler, { graceMs: 50 })
    const running = fetch(url)
    running.catch(() => undefined)
    await expect.poll(asked).toBe(1)
    await socket.stop()
    await expect(running).rejects.toThrow()
  })
})
