import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type AdmissionLimits, createAdmission } from '../../../service/http/admission.ts'
import type { CountedAs } from '../../../service/http/clients.ts'
import { createLog } from '../../../service/log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function start(limits: Partial<AdmissionLimits> = {}, hasCors = false) {
  const begun: string[] = []
  const lines: string[] = []
  let refused = 0
  const admission = createAdmission({
    clientOf: ({ headers }) => JSON.parse(String(headers.client)) as CountedAs,
    limits: { perTurn: 1_000, ...limits },
    onRefusal: () => refused++,
    hasCors,
    log: createLog({ to: { write: (line) => lines.push(line) } }),
  })

  /** Enters a request; `end` answers it with a status, or closes its connection. */
  function ask(client: string | CountedAs, name = String(client), url = '/v6.1/5/quote') {
    const said = { status: 0, headers: {} as Record<string, string>, body: '', isOver: false }
    const outgoing = {
      statusCode: 200,
      shouldKeepAlive: true,
      writeHead(status: number, headers: Record<string, string>) {
        outgoing.statusCode = status
        Object.assign(said, { status, headers })
      },
      end(body: string) {
        said.body = body
        end()
      },
    }
    const headers = { client: JSON.stringify([client].flat()), 'request-id': name }
    const incoming = { headers, url } as unknown as IncomingMessage
    let leave = () => {}
    function end(status = outgoing.statusCode) {
      outgoing.statusCode = status
      if (!said.isOver) leave()
      said.isOver = true
    }
    leave = admission.enter(incoming, outgoing as unknown as ServerResponse, () => begun.push(name))
    return { said, end, keepsAlive: () => outgoing.shouldKeepAlive }
  }

  return { ask, begun, lines, refused: () => refused, accepted: admission.accepted }
}

const turn = () => vi.advanceTimersToNextTimerAsync()

describe('shares of a client', () => {
  it('begins a limited number of requests of a client, and others as those end', () => {
    const { ask, begun } = start({ perClient: 2 })
    const asked = ['a1', 'a2', 'a3', 'a4'].map((name) => ask('a', name))
    expect(begun).toEqual(['a1', 'a2'])
    asked[1]?.end()
    expect(begun).toEqual(['a1', 'a2', 'a3'])
  })

  it('begins the request of a quiet client at once, while a thousand of another wait', () => {
    const { ask, begun } = start()
    const busy = Array.from({ length: 1_000 }, (_, i) => ask('busy', `busy${i}`))
    expect(begun).toHaveLength(32)
    for (let i = 0; i < 20; i++) {
      ask('quiet', `quiet${i}`).end()
      expect(begun.at(-1)).toBe(`quiet${i}`)
      busy[i]?.end()
    }
    expect(begun).toHaveLength(72)
  })

  it('begins waiting requests in turns of their clients', async () => {
    const { ask, begun } = start({ perTurn: 2 })
    for (let i = 1; i < 6; i++) ask('busy', `busy${i}`)
    ask('quiet', 'quiet1')
    ask('other', 'other1')
    expect(begun).toEqual(['busy1', 'busy2'])
    await turn()
    expect(begun.slice(2)).toEqual(['quiet1', 'other1'])
    await turn()
    expect(begun.slice(4)).toEqual(['busy3', 'busy4'])
  })

  it('begins few requests while connections arrive, and all as before afterwards', async () => {
    const { ask, begun, accepted } = start({ perTurn: 4 })
    accepted()
    await turn()
    for (let i = 0; i < 20; i++) ask('a', `a${i}`)
    for (let i = 0; i < 16; i++) {
      accepted()
      await turn()
    }
    expect(begun).toHaveLength(2)
    await turn()
    expect(begun).toHaveLength(6)
    await turn()
    expect(begun).toHaveLength(10)
  })

  it('gives a /48 twice the places of one network', () => {
    const { ask, begun } = start({ perClient: 4 })
    for (let i = 0; i < 64; i++) ask([`/64 ${i}`, `/56 ${i >> 2}`, '/48'], `wide${i}`)
    expect(begun).toHaveLength(8)
  })

  it('never begins a request whose connection has closed', () => {
    const { ask, begun } = start({ perClient: 1 })
    const first = ask('a', 'a1')
    ask('a', 'a2').end()
    ask('a', 'a3')
    first.end()
    expect(begun).toEqual(['a1', 'a3'])
  })
})

describe('refusals', () => {
  it('answers 429 with the error body after the longest wait', async () => {
    const { ask, begun, refused } = start({ perClient: 1, waitMs: 2_000 })
    ask('a', 'a1')
    const { said } = ask('a', 'a2')
    await vi.advanceTimersByTimeAsync(1_999)
    expect(said.status).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(said.status).toBe(429)
    expect(said.headers).toMatchObject({
      'retry-after': '1',
      'request-id': 'a2',
      'cache-control': 'no-store',
    })
    expect(said.headers).not.toHaveProperty('access-control-allow-origin')
    expect(JSON.parse(said.body)).toEqual({
      error: 'Too Many Requests',
      description: 'too many requests at once',
      statusCode: 429,
      code: 'RATE_LIMITED',
      requestId: 'a2',
      meta: null,
    })
    expect(refused()).toBe(1)
    expect(begun).toEqual(['a1'])
  })

  it.each(['/v6.0/5/quote', '/swap/v6.0/5/quote'])('has a list `meta` at %s', async (path) => {
    const { ask } = start({ perClient: 1 })
    ask('a')
    const { said } = ask('a', 'a2', path)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(JSON.parse(said.body)).toMatchObject({ code: 'RATE_LIMITED', meta: [] })
  })

  it('lets pages read refusals of version 3.0', async () => {
    const { ask } = start({ perClient: 1 })
    ask('a')
    const { said } = ask('a', 'a2', '/v3.0/5/quote')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(said.headers).toMatchObject({ 'access-control-allow-origin': '*' })
  })

  it('lets pages read refusals of all versions with CORS', async () => {
    const { ask } = start({ perClient: 1 }, true)
    ask('a')
    const { said } = ask('a', 'a2', '/swap/v6.1/5/quote')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(said.headers).toMatchObject({ 'access-control-allow-origin': '*' })
  })

  it('lets Retry-After grow with the excess of a client', async () => {
    const { ask } = start({ perClient: 1 })
    ask('a')
    const excess = Array.from({ length: 100 }, (_, i) => ask('a', `a${i}`))
    ask('b')
    const one = ask('b')
    await vi.advanceTimersByTimeAsync(2_000)
    const seconds = excess.map(({ said }) => Number(said.headers['retry-after']))
    expect(seconds.slice(0, 4)).toEqual([1, 2, 3, 4])
    expect(seconds.at(-1)).toBe(60)
    expect(one.said.headers['retry-after']).toBe('1')
  })

  it('keeps the place of a refused request for a while, and no place of others', async () => {
    for (const [status, isKept] of [
      [200, false],
      [400, false],
      [403, true],
      [429, true],
      [503, true],
    ] as const) {
      const { ask, begun } = start({ perClient: 1, penaltyMs: 100 })
      ask('a', 'a1').end(status)
      ask('a', 'a2')
      expect(begun, String(status)).toEqual(isKept ? ['a1'] : ['a1', 'a2'])
      await vi.advanceTimersByTimeAsync(100)
      expect(begun).toEqual(['a1', 'a2'])
    }
  })

  it('closes connections of a client that holds a quarter of all unanswered requests', () => {
    const { ask } = start({ open: 40, perClient: 2 })
    const held = Array.from({ length: 10 }, () => ask('a'))
    const eleventh = ask('a')
    expect([eleventh.said.status, eleventh.keepsAlive()]).toEqual([429, false])
    expect(held.map(({ said }) => said.status)).toEqual(Array(10).fill(0))
    expect(ask('b').said.status).toBe(0)
    held[5]?.end()
    expect(ask('a').said.status).toBe(0)
  })

  it('logs refusals in one line per ten seconds', async () => {
    const { ask, lines } = start({ perClient: 1 })
    for (let i = 0; i < 31; i++) ask('0123456789ab')
    for (let i = 0; i < 3; i++) ask('other')
    await vi.advanceTimersByTimeAsync(30_000)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 'warn',
        refused: 32,
        clients: 2,
        most: { '0123456789ab': 30, other: 2 },
        msg: 'requests were refused',
      }),
    ])
  })
})
