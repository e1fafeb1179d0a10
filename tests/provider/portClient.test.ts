import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPortClient } from '../../src/provider/portClient.ts'
import { standInBrowser } from '../helpers/provider/fakeRuntime.ts'

function start(options: { isOnHold?: () => boolean } = {}) {
  const { runtime, ports } = standInBrowser()
  const said: unknown[] = []
  const line = createPortClient(
    runtime,
    (text) => said.push(JSON.parse(text)),
    options.isOnHold ?? (() => false),
  )
  const ask = (id: number, method = 'eth_gasPrice') => line.ask(JSON.stringify({ id, method }))
  return { runtime, ports, said, line, ask }
}

const idsOf = (port: { sent: { id: number }[] } | undefined) => port?.sent.map(({ id }) => id)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('portClient', () => {
  it('opens one port on the first request', () => {
    const { ports, ask } = start()
    expect(ports).toHaveLength(0)
    ask(1)
    ask(2)
    expect(ports).toHaveLength(1)
    expect(ports[0]?.name).toBe('page 1.2.3')
    expect(ports[0]?.sent).toEqual([
      { id: 1, method: 'eth_gasPrice' },
      { id: 2, method: 'eth_gasPrice' },
    ])
  })

  it('delivers each response once, and passes on events', () => {
    const { ports, said, ask } = start()
    ask(1)
    ports[0]?.say({ event: 'chainChanged', data: '0x1' })
    ports[0]?.say({ id: 1, result: 'a' })
    ports[0]?.say({ id: 1, result: 'b' })
    ports[0]?.say({ id: 2, result: 'c' })
    expect(said).toEqual([
      { event: 'chainChanged', data: '0x1' },
      { id: 1, result: 'a' },
    ])
  })

  it('does not reopen a broken port without unanswered requests', () => {
    const { ports, ask } = start()
    ask(1)
    ports[0]?.say({ id: 1, result: 'a' })
    ports[0]?.close()
    vi.advanceTimersByTime(60_000)
    expect(ports).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
    ask(2)
    expect(idsOf(ports[1])).toEqual([2])
  })

  it('opens another port when one breaks, and resends unanswered requests', () => {
    const { ports, said, ask } = start()
    ask(1)
    ask(2)
    ports[0]?.say({ id: 1, result: 'a' })
    ports[0]?.close()
    vi.advanceTimersByTime(0)
    expect(idsOf(ports[1])).toEqual([2])
    ports[0]?.say({ id: 2, result: 'from the grave' })
    ports[1]?.say({ id: 2, result: 'b' })
    expect(said).toEqual([
      { id: 1, result: 'a' },
      { id: 2, result: 'b' },
    ])
  })

  it('backs off for more than four and at most five seconds after many broken ports', () => {
    const { ports, ask } = start()
    ask(1)
    for (let tries = 0; tries < 20; tries++) {
      ports.at(-1)?.close()
      vi.advanceTimersByTime(5_000)
    }
    expect(ports).toHaveLength(21)
    ports.at(-1)?.close()
    vi.advanceTimersByTime(4_000)
    expect(ports).toHaveLength(21)
    vi.advanceTimersByTime(1_000)
    expect(ports).toHaveLength(22)
  })

  it('resends a request within five seconds, however often ports broke', () => {
    const { ports, said, ask } = start()
    ask(1)
    for (let tries = 0; tries < 50; tries++) {
      ports.at(-1)?.close()
      vi.advanceTimersByTime(5_000)
      expect(idsOf(ports.at(-1))).toEqual([1])
      expect(ports.at(-1)?.isClosed).toBe(false)
    }
    ports.at(-1)?.say({ id: 1, result: 'a' })
    expect(said).toEqual([{ id: 1, result: 'a' }])
  })

  it('reopens without delay after a port that lasted', () => {
    const { ports, ask } = start()
    ask(1)
    for (let tries = 0; tries < 5; tries++) {
      ports.at(-1)?.close()
      vi.advanceTimersByTime(5_000)
    }
    vi.advanceTimersByTime(30_000)
    ports.at(-1)?.close()
    vi.advanceTimersByTime(0)
    expect(ports).toHaveLength(7)
  })

  it('reopens without delay after a port that delivered a response', () => {
    const { ports, ask } = start()
    ask(100)
    for (let id = 1; id <= 20; id++) {
      ask(id)
      ports.at(-1)?.say({ id, result: 0 })
      ports.at(-1)?.close()
      vi.advanceTimersByTime(0)
      expect(ports).toHaveLength(id + 1)
    }
  })

  it('treats a port that throws on post as broken', () => {
    const { ports, ask } = start()
    ask(1)
    ports[0]?.disconnect()
    ask(2)
    vi.advanceTimersByTime(0)
    expect(idsOf(ports[1])).toEqual([1, 2])
  })

  it('keeps at most fifty requests unanswered, and sends the rest as responses arrive', () => {
    const { ports, said, ask } = start()
    for (let id = 1; id <= 60; id++) ask(id)
    expect(ports[0]?.sent).toHaveLength(50)
    ports[0]?.say({ id: 3, result: 0 })
    expect(idsOf(ports[0])?.slice(50)).toEqual([51])
    ports[0]?.close()
    vi.advanceTimersByTime(0)
    expect(ports[1]?.sent).toHaveLength(50)
    for (let id = 1; id <= 60; id++) ports[1]?.say({ id, result: 0 })
    expect(said).toHaveLength(60)
  })

  it('drops malformed requests and duplicate ids', () => {
    const { ports, line, ask } = start()
    const texts = [
      '',
      'x',
      'null',
      '[]',
      '{}',
      '{"id":"1"}',
      '{"id":0}',
      '{"id":-1}',
      '{"id":1.5}',
      '{"id":1e400}',
    ]
    for (const text of [...texts, undefined, { id: 1 }, 7]) line.ask(text)
    expect(ports).toHaveLength(0)
    ask(1)
    ask(1)
    expect(ports[0]?.sent).toHaveLength(1)
  })

  it('rejects more than 256,000 characters without a port, and names the limit', () => {
    const { ports, said, line } = start()
    const request = (id: number, length: number) => {
      const text = JSON.stringify({ id, method: 'eth_call', params: [] })
      line.ask(text.padEnd(length, ' '))
    }
    request(1, 256_001)
    expect(said).toEqual([
      { id: 1, error: { code: 'invalid-params', message: expect.stringContaining('256 kB'), facts: {} } },
    ])
    expect(ports).toHaveLength(0)
    request(2, 256_000)
    expect(ports[0]?.sent).toEqual([{ id: 2, length: 256_000 }])
  })

  it('announces a long request, and sends it on a credit of the current port', () => {
    const { ports, said, line } = start()
    const text = JSON.stringify({ id: 1, method: 'eth_call', params: ['e'.repeat(8_000)] })
    line.ask(text)
    expect(ports[0]?.sent).toEqual([{ id: 1, length: text.length }])
    ports[0]?.close()
    vi.advanceTimersByTime(0)
    ports[0]?.say({ credit: 1 })
    expect(ports[1]?.sent).toEqual([{ id: 1, length: text.length }])
    ports[1]?.say({ credit: 1 })
    expect(ports[1]?.sent[1]).toEqual(JSON.parse(text))
    ports[1]?.say({ id: 1, result: 0 })
    ports[1]?.say({ credit: 1 })
    expect(ports[1]?.sent).toHaveLength(2)
    expect(said).toEqual([{ id: 1, result: 0 }])
  })

  it('acknowledges only long responses', () => {
    const { ports, ask } = start()
    ask(1)
    ask(2)
    ports[0]?.say({ id: 1, result: 'e'.repeat(64_000) })
    ports[0]?.say({ id: 2, result: 'e'.repeat(63_000) })
    expect(ports[0]?.sent.slice(2)).toEqual([{ id: 1, received: true }])
  })

  it('sends nothing while the document is prerendered', () => {
    let isOnHold = true
    const { ports, line, ask } = start({ isOnHold: () => isOnHold })
    ask(1)
    expect(ports).toHaveLength(0)
    isOnHold = false
    line.resume()
    expect(idsOf(ports[0])).toEqual([1])
  })
})

describe('portClient: restored document', () => {
  it('resends unanswered requests on a new port, and requests the current state', () => {
    const { ports, said, line, ask } = start()
    ask(1)
    ask(2)
    ports[0]?.say({ id: 1, result: 'a' })
    line.renew()
    expect(ports[0]?.isClosed).toBe(true)
    expect(ports[1]?.sent).toEqual([
      { id: 2, method: 'eth_gasPrice' },
      { id: -1, method: 'sluice_view' },
    ])
    ports[1]?.say({ id: -1, result: { accounts: [], chainId: '0x1' } })
    expect(said).toEqual([{ id: 1, result: 'a' }, { view: { accounts: [], chainId: '0x1' } }])
  })

  it('requests the state under a fresh id each time, and hides an error response', () => {
    const { ports, said, line, ask } = start()
    ask(1)
    ports[0]?.say({ id: 1, result: 'a' })
    line.renew()
    line.renew()
    expect(idsOf(ports[1])).toEqual([-1])
    expect(idsOf(ports[2])).toEqual([-2])
    ports[2]?.say({ id: -2, error: { code: 'internal', message: 'm', facts: {} } })
    ports[2]?.close()
    vi.advanceTimersByTime(60_000)
    expect(ports).toHaveLength(3)
    expect(said).toHaveLength(1)
  })
})

describe('portClient: removed extension', () => {
  it('ends pending requests when the port breaks', () => {
    const { runtime, ports, said, ask } = start()
    ask(1)
    runtime.id = undefined
    ports[0]?.close()
    vi.advanceTimersByTime(60_000)
    expect(said).toEqual([{ ended: true }])
    expect(ports).toHaveLength(1)
  })

  it('ends pending requests when the extension disappears without a port event', () => {
    const { runtime, ports, said, ask } = start()
    ask(1)
    ports[0]?.say({ id: 1, result: 'a' })
    vi.advanceTimersByTime(10_000)
    ask(2)
    vi.advanceTimersByTime(10_000)
    runtime.id = undefined
    vi.advanceTimersByTime(1_000)
    expect(said).toEqual([{ id: 1, result: 'a' }, { ended: true }])
    // A context without the extension cannot close its ports.
    expect(ports.map(({ isClosed }) => isClosed)).toEqual([false])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends a later request without a port', () => {
    const { runtime, ports, said, ask } = start()
    runtime.id = undefined
    ask(1)
    expect(said).toEqual([{ ended: true }])
    expect(ports).toHaveLength(0)
  })
})
