import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { Requester } from '../../../../src/background/approvals/store.ts'
import { createByteBudget } from '../../../../src/background/dapp/ports/byteBudget.ts'
import { serveDapps } from '../../../../src/background/dapp/ports/connections.ts'
import { createSessions } from '../../../../src/background/dapp/ports/sessions.ts'
import type { RpcRouter } from '../../../../src/background/dapp/router.ts'
import { WalletError } from '../../../../src/errors.ts'
import { getPagePortName } from '../../../../src/protocol.ts'
import { memoryArea } from '../../../helpers/background/memoryArea.ts'

const account = `0x${'a1'.repeat(20)}`

let connect: ((port: object) => void)[]
let asked: { asker: Requester; method: string; params: unknown }[]
let withdrawn: string[]
let wakes: number
let clock: number

beforeEach(() => {
  connect = []
  asked = []
  withdrawn = []
  wakes = 0
  clock = 0
  const onConnect = { addListener: (listener: (port: object) => void) => connect.push(listener) }
  Object.assign(fakeBrowser.runtime, { onConnect, getManifest: () => ({ version: '2.0.0' }) })
})

const echo: RpcRouter = async (asker, { method, params }) => {
  asked.push({ asker, method, params })
  return method
}

function begin(
  answer: RpcRouter = echo,
  wake: () => Promise<unknown> = async () => wakes++,
  budget = createByteBudget(),
): void {
  serveDapps({
    answer,
    documents: createSessions({
      session: memoryArea(),
      sites: { view: async () => ({ accounts: [], chainId: 1 }) },
      sendToTab: async () => undefined,
    }),
    approvals: { withdraw: async (documentId) => void withdrawn.push(documentId) },
    wake,
    budget,
    now: () => clock,
  })
}

const page = {
  id: fakeBrowser.runtime.id,
  frameId: 0,
  documentLifecycle: 'active',
  origin: 'https://site.example',
  url: 'https://site.example/path',
  documentId: 'D1',
  tab: { id: 4 },
}

function openPort(sender: object = page, name = getPagePortName('2.0.0')) {
  const hear: ((message: unknown) => void)[] = []
  const gone: (() => void)[] = []
  const said: Record<string, unknown>[] = []
  let open = true
  const port = {
    name,
    sender,
    postMessage(text: string) {
      if (!open) throw new Error('Attempting to use a disconnected port object')
      said.push(JSON.parse(text))
    },
    disconnect() {
      open = false
    },
    onMessage: { addListener: (listener: (message: unknown) => void) => hear.push(listener) },
    onDisconnect: { addListener: (listener: () => void) => gone.push(listener) },
  }
  for (const listener of connect) listener(port)
  return {
    said,
    isOpen: () => open,
    say: (message: unknown) => {
      for (const listener of hear) listener(message)
    },
    close() {
      open = false
      for (const listener of gone) listener()
    },
  }
}

async function answerTo(port: ReturnType<typeof openPort>, request: unknown) {
  const before = port.said.length
  port.say(typeof request === 'string' ? request : JSON.stringify(request))
  await expect.poll(() => port.said.length).toBe(before + 1)
  return port.said[before]
}

/** Messages are in order, so earlier ones are done. */
async function passed(port: ReturnType<typeof openPort>, id = 99): Promise<void> {
  port.say(JSON.stringify({ id, method: 'marker' }))
  await expect.poll(() => port.said, forLong).toContainEqual({ id, result: 'marker' })
}

function isView(said: unknown): boolean {
  return typeof said === 'object' && said !== null && 'view' in said
}

const forLong = { timeout: 60_000 }

describe('requester of a dapp port', () => {
  it('takes the requester from the browser’s sender, not from the message', async () => {
    begin()
    const port = openPort()
    const request = { id: 1, method: 'eth_chainId', origin: 'https://bank.example', documentId: 'D9' }
    expect(await answerTo(port, request)).toEqual({ id: 1, result: 'eth_chainId' })
    expect(asked[0]?.asker).toEqual({
      origin: 'https://site.example',
      documentId: 'D1',
      tabId: 4,
      requestId: 1,
    })
  })

  it.each([
    ['another extension', { ...page, id: 'another' }],
    ['a frame within', { ...page, frameId: 3 }],
    ['a prerendered page', { ...page, documentLifecycle: 'prerender' }],
    ['a page of which no lifecycle is known', { ...page, documentLifecycle: undefined }],
    ['a sandboxed frame, which has the URL of its page', { ...page, origin: 'null' }],
    ['a document without an origin', { ...page, origin: undefined }],
    ['a file', { ...page, origin: 'file://' }],
    ['a page of our own', { ...page, origin: `chrome-extension://${fakeBrowser.runtime.id}` }],
    ['a document without an id', { ...page, documentId: undefined }],
    ['a page in no tab', { ...page, tab: undefined }],
    ['nobody', {}],
  ])('rejects requests from %s', async (_who, sender) => {
    begin()
    const port = openPort(sender)
    expect(await answerTo(port, { id: 1, method: 'eth_accounts' })).toEqual({
      id: 1,
      error: { code: 'not-connected', message: 'This document cannot use the wallet.', facts: {} },
    })
    port.close()
    expect(asked).toEqual([])
    expect(withdrawn).toEqual([])
  })

  it('ignores ports with another name', async () => {
    begin()
    const port = openPort(page, 'other')
    port.say(JSON.stringify({ id: 1, method: 'eth_chainId' }))
    await passed(openPort())
    expect(port.said).toEqual([])
    expect(asked.map(({ method }) => method)).toEqual(['marker'])
    expect(port.isOpen()).toBe(true)
  })

  it('disconnects a relay of another version', async () => {
    begin()
    const port = openPort(page, getPagePortName('1.9.0'))
    expect(port.isOpen()).toBe(false)
    port.say(JSON.stringify({ id: 1, method: 'personal_sign' }))
    await passed(openPort())
    expect(port.said).toEqual([])
    expect(asked.map(({ method }) => method)).toEqual(['marker'])
  })
})

describe('requests over a dapp port', () => {
  it('wakes the wallet before it answers a request', async () => {
    const order: string[] = []
    let awake = () => {}
    begin(
      async () => void order.push('answer'),
      () => {
        order.push('wake')
        return new Promise<void>((resolve) => {
          awake = () => {
            order.push('awake')
            resolve()
          }
        })
      },
    )
    const port = openPort()
    port.say(JSON.stringify({ id: 1, method: 'm' }))
    await expect.poll(() => order, forLong).toContain('wake')
    awake()
    await expect.poll(() => port.said, forLong).toHaveLength(1)
    expect(order).toEqual(['wake', 'awake', 'answer'])
  })

  it('answers a request when waking the wallet fails', async () => {
    begin(echo, () => Promise.reject(new Error('disk')))
    expect(await answerTo(openPort(), { id: 1, method: 'm' })).toEqual({ id: 1, result: 'm' })
  })

  it('answers null for a request without a result', async () => {
    begin(async () => undefined)
    expect(await answerTo(openPort(), { id: 1, method: 'm' })).toEqual({ id: 1, result: null })
  })

  it('reports wallet errors with code, message and facts, and hides unexpected errors', async () => {
    begin(async (_asker, { method }) => {
      if (method === 'no') throw new WalletError('rejected', 'The user said no.', { reason: 'closed' })
      throw new Error('private detail')
    })
    const port = openPort()
    expect(await answerTo(port, { id: 1, method: 'no' })).toEqual({
      id: 1,
      error: { code: 'rejected', message: 'The user said no.', facts: { reason: 'closed' } },
    })
    const fault = await answerTo(port, { id: 2, method: 'crash' })
    expect(fault).toMatchObject({ id: 2, error: { code: 'internal' } })
    expect(JSON.stringify(fault)).not.toContain('private')
  })

  it('redacts addresses in errors unless the request contains them', async () => {
    const own = `0x${'B2'.repeat(20)}`
    begin(async () => {
      throw new WalletError('invalid-input', `No key for ${account}, try ${own}.`, { account, own, hash })
    })
    const hash = `0x${'c3'.repeat(32)}`
    expect(await answerTo(openPort(), { id: 1, method: 'm', params: [own.toLowerCase()] })).toMatchObject({
      error: {
        message: `No key for (an address), try ${own}.`,
        facts: { account: '(an address)', own, hash },
      },
    })
  })

  it('passes the error of the RPC on unchanged', async () => {
    const facts = { rpcCode: '3', rpcMessage: `reverted at ${account}` }
    begin(async () => {
      throw new WalletError('node-answered', 'The node refused.', facts)
    })
    expect(await answerTo(openPort(), { id: 1, method: 'm' })).toMatchObject({ error: { facts } })
  })

  it('answers an internal error when the result cannot be serialised as JSON', async () => {
    begin(async () => ({ amount: 1n }))
    expect(await answerTo(openPort(), { id: 1, method: 'm' })).toMatchObject({
      id: 1,
      error: { code: 'internal' },
    })
  })

  it('joins a repeated request and answers it once, over the newest port', async () => {
    let finish = () => {}
    begin((asker, request) => {
      if (request.method === 'marker') return echo(asker, request)
      echo(asker, request)
      return new Promise<string>((resolve) => {
        finish = () => resolve('done')
      })
    })
    const request = JSON.stringify({ id: 1, method: 'm' })
    const old = openPort()
    old.say(request)
    await expect.poll(() => asked, forLong).toHaveLength(1)
    const next = openPort()
    old.close()
    next.say(request)
    await passed(next)
    finish()
    await expect.poll(() => next.said, forLong).toContainEqual({ id: 1, result: 'done' })
    expect(next.said).toHaveLength(2)
    expect(old.said).toEqual([])
    expect(asked.map(({ method }) => method)).toEqual(['m', 'marker'])
    expect(withdrawn).toEqual([])
  })

  it('rejects more than one hundred concurrent requests of a document, and none of another document', async () => {
    begin((asker, request) => {
      const answer = echo(asker, request)
      return request.method === 'marker' ? answer : new Promise(() => undefined)
    })
    const [port, other] = [openPort(), openPort({ ...page, documentId: 'D2' })]
    for (let id = 1; id <= 105; id++) port.say(JSON.stringify({ id, method: 'm' }))
    other.say(JSON.stringify({ id: 1, method: 'm' }))
    await passed(other)
    await expect.poll(() => port.said, forLong).toHaveLength(5)
    expect(asked).toHaveLength(102)
    expect(port.said[0]).toMatchObject({ id: 101, error: { code: 'throttled' } })
    expect(other.said).toHaveLength(1)
  })

  it('sends the view to a forgotten document before the answer', async () => {
    begin()
    const port = openPort()
    port.say(JSON.stringify({ id: 7, method: 'm' }))
    await expect.poll(() => port.said).toHaveLength(2)
    expect(port.said).toEqual([{ view: { accounts: [], chainId: '0x1' } }, { id: 7, result: 'm' }])
  })

  it('does not join requests of different documents', async () => {
    begin()
    const first = openPort()
    const second = openPort({ ...page, documentId: 'D2' })
    first.say(JSON.stringify({ id: 1, method: 'one' }))
    second.say(JSON.stringify({ id: 1, method: 'two' }))
    await expect.poll(() => [...first.said, ...second.said]).toHaveLength(2)
    expect(first.said).toEqual([{ id: 1, result: 'one' }])
    expect(second.said).toEqual([{ id: 1, result: 'two' }])
  })
})

describe('byte budget of a site', () => {
  const never: RpcRouter = (asker, request) => {
    echo(asker, request)
    return new Promise(() => undefined)
  }
  const other = { ...page, origin: 'https://other.example', documentId: 'E1', tab: { id: 90 } }
  const tabs = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      openPort({ ...page, documentId: `D${index}`, tab: { id: index } }),
    )
  const large = (id: number) => JSON.stringify({ id, method: 'm', params: ['x'.repeat(249_000)] })

  it('limits the bytes of a site over all its tabs without blocking other sites', async () => {
    const budget = createByteBudget({ now: () => clock })
    begin(never, undefined, budget)
    const ports = tabs(8)
    for (let id = 1; id <= 20; id++) for (const port of ports) port.say(large(id))
    await expect.poll(() => ports[7]?.said[0], forLong).toMatchObject({ error: { code: 'limit-exceeded' } })
    const { requests } = budget.size()
    expect(requests).toBeGreaterThan(1_000_000)
    expect(requests).toBeLessThanOrEqual(2_000_000)
    expect(asked.length * 249_000).toBeLessThanOrEqual(2_000_000)
    openPort(other).say(JSON.stringify({ id: 1, method: 'eth_chainId' }))
    openPort(other).say(large(2))
    await expect
      .poll(() => asked.filter(({ asker }) => asker.origin === other.origin), forLong)
      .toHaveLength(2)
  })

  it('grants credit per site and frees the bytes with the answer', async () => {
    const ends: (() => void)[] = []
    const budget = createByteBudget({ perOrigin: 500_000, perSecond: 1e9 })
    begin((_asker, { method }) => new Promise((end) => ends.push(() => end(method))), undefined, budget)
    const port = openPort()
    const text = large(1)
    for (let id = 1; id <= 9; id++) port.say(JSON.stringify({ id, length: text.length }))
    expect(port.said).toEqual([{ credit: 1 }, { credit: 2 }])
    port.say(text)
    await expect.poll(() => ends).toHaveLength(1)
    expect(port.said).toHaveLength(2)
    ends[0]?.()
    await expect
      .poll(() => port.said)
      .toEqual([{ credit: 1 }, { credit: 2 }, { id: 1, result: 'm' }, { credit: 3 }])
    const newcomer = openPort(other)
    newcomer.say(JSON.stringify({ id: 1, length: text.length }))
    expect(newcomer.said).toEqual([{ credit: 1 }])
    port.close()
    newcomer.close()
    await expect.poll(() => budget.size().requests).toBe(0)
  })

  it('rejects a request announced with more than 256 kB', async () => {
    begin()
    expect(await answerTo(openPort(), '{"id":5,"length":256001}')).toMatchObject({
      id: 5,
      error: { code: 'invalid-request', message: expect.stringContaining('256 kB') },
    })
  })

  it('counts the bytes of an answer until the relay confirms it', async () => {
    const budget = createByteBudget()
    begin(async () => 'x'.repeat(100_000), undefined, budget)
    const port = openPort()
    await answerTo(port, { id: 1, method: 'm' })
    expect(budget.size(page.origin).answers).toBeGreaterThan(100_000)
    port.say('{"id":1,"received":true}')
    expect(budget.size().answers).toBe(0)
    await answerTo(port, { id: 2, method: 'm' })
    port.close()
    expect(budget.size().answers).toBe(0)
  })

  it('closes the port of a site over its limits and keeps it closed for five seconds', async () => {
    begin(never)
    const port = openPort()
    for (let id = 1; id <= 120; id++) port.say(large(id))
    await expect.poll(port.isOpen, forLong).toBe(false)
    expect(openPort().isOpen()).toBe(false)
    expect(openPort(other).isOpen()).toBe(true)
    clock += 5_001
    expect(openPort().isOpen()).toBe(true)
  })
})

describe('closing of a dapp port', () => {
  it('drops the answers and withdraws the requests of its document', async () => {
    let finish = () => {}
    begin((asker, request) => {
      const answer = echo(asker, request)
      if (request.method === 'marker') return answer
      return new Promise((resolve) => {
        finish = () => resolve('late')
      })
    })
    const port = openPort()
    port.say(JSON.stringify({ id: 1, method: 'm' }))
    await expect.poll(() => asked, forLong).toHaveLength(1)
    port.close()
    finish()
    await passed(openPort({ ...page, documentId: 'D2' }))
    expect(port.said).toEqual([])
    expect(withdrawn).toEqual(['D1'])
  })

  it('withdraws nothing while its document has another open port', () => {
    begin()
    const [one, other] = [openPort(), openPort()]
    one.close()
    expect(withdrawn).toEqual([])
    other.close()
    expect(withdrawn).toEqual(['D1'])
  })
})

describe('messages on a dapp port', () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

  it.each([
    ['no method', '{"id":1}'],
    ['an empty method', '{"id":1,"method":""}'],
    ['a method that is no text', '{"id":1,"method":{"length":3}}'],
    ['a long method', `{"id":1,"method":"${'m'.repeat(101)}"}`],
    ['params that are a text', '{"id":1,"method":"m","params":"x"}'],
    ['params that are null', '{"id":1,"method":"m","params":null}'],
    ['params nested a hundred times', `{"id":1,"method":"m","params":${deep(101)}}`],
    ['params nested beyond any stack', `{"id":1,"method":"m","params":${deep(200_000)}}`],
    ['more than 256 kB', `{"id":1,"method":"m","params":["${'x'.repeat(256_000)}"]}`],
    ['more than 256 kB of UTF-8', `{"id":1,"method":"m","params":["${'é'.repeat(128_000)}"]}`],
  ])('rejects a message with %s by its id', async (_what, text) => {
    begin()
    const answer = await answerTo(openPort(), text)
    expect(answer).toMatchObject({ id: 1, error: { code: 'invalid-request' } })
    expect(asked).toEqual([])
  })

  it.each([
    ['not JSON', '{"id":1,'],
    ['not an object', '7'],
    ['null', 'null'],
    ['without an id', '{"method":"m"}'],
    ['with an id that is a fraction', '{"id":1.5,"method":"m"}'],
    ['with an id that is a text', '{"id":"1","method":"m"}'],
    ['huge, and without an id', 'x'.repeat(1_000_001)],
    ['not text', { id: 1, method: 'm' }],
  ])('drops a message that is %s', async (_what, message) => {
    begin()
    const port = openPort()
    port.say(message)
    await passed(port)
    expect(port.said.filter((one) => !isView(one))).toEqual([{ id: 99, result: 'marker' }])
    expect(asked).toHaveLength(1)
  })

  it('accepts params nested one hundred levels deep and negative ids', async () => {
    begin()
    const port = openPort()
    expect(await answerTo(port, `{"id":-1,"method":"m","params":${deep(100)}}`)).toEqual({
      id: -1,
      result: 'm',
    })
  })

  it('answers requests after 100,000 random messages and leaves Object.prototype unchanged', async () => {
    const prototype = Object.getOwnPropertyNames(Object.prototype).sort()
    begin(echo, undefined, createByteBudget({ perSecond: 1e9 }))
    const port = openPort()
    const key = fc.constantFrom('id', 'method', 'params', '__proto__', 'constructor', 'x')
    const leaf = fc.constantFrom(0, 1, -1, 1.5, 2 ** 60, 'm', '', '__proto__', 'eth_call', null, true)
    const value = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(key, leaf, { maxKeys: 3 }))
    const fields = fc.array(fc.tuple(key, value), { maxLength: 4 })
    const text = fields.map(
      (list) => `{${list.map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`).join()}}`,
    )
    const whole = fc
      .record({ id: fc.oneof(fc.nat(), leaf), method: fc.oneof(leaf, fc.string()), params: value })
      .map((request) => JSON.stringify(request))
    const message = fc.oneof(
      { arbitrary: text, weight: 4 },
      { arbitrary: whole, weight: 4 },
      fc.string({ maxLength: 20 }),
      leaf,
    )
    let count = 0
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 100, maxLength: 100 }), async (messages) => {
        for (const each of messages) port.say(each)
        count += messages.length
        await new Promise((resolve) => setImmediate(resolve))
        port.said.splice(0)
      }),
      { numRuns: 1_000 },
    )
    expect(count).toBe(100_000)
    expect(asked.length).toBeGreaterThan(1_000)
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(prototype)
    expect(({} as { x?: unknown }).x).toBeUndefined()
    expect(await answerTo(port, { id: 77, method: 'm' })).toEqual({ id: 77, result: 'm' })
  })
})
