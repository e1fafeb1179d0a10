import { createWalletClient, custom } from 'viem'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { toRpcError } from '../../src/provider/errors.ts'
import { createProvider } from '../../src/provider/provider.ts'

const known = '0x00000000000000000000000000000000000000aa'
const other = '0x00000000000000000000000000000000000000bb'

function start() {
  const sent: { id: number; method: string; params?: unknown }[] = []
  const thrown: unknown[] = []
  let looks = 0
  const { provider, hear } = createProvider(
    (text) => (text === '' ? looks++ : sent.push(JSON.parse(text))),
    (error) => thrown.push(error),
    setTimeout,
  )
  const heard: [string, unknown][] = []
  for (const event of ['connect', 'disconnect', 'chainChanged', 'accountsChanged', 'message']) {
    provider.on(event, (data) => heard.push([event, data]))
  }
  const ask = async (method: string, result: unknown) => {
    const asked = provider.request({ method })
    hear({ id: sent.at(-1)!.id, result })
    return asked
  }
  return { provider, hear, sent, thrown, heard, ask, looks: () => looks }
}

describe('pending requests', () => {
  const here = { here: true } as const

  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('checks that the relay is alive, and waits as long as it responds', async () => {
    const { provider, hear, looks } = start()
    const answer = provider.request({ method: 'wallet_swap' })
    for (let minute = 0; minute < 40; minute++) {
      vi.advanceTimersByTime(1_500)
      hear(here)
    }
    expect(looks()).toBe(40)
    hear({ id: 1, result: 'done' })
    expect(await answer).toBe('done')
    vi.advanceTimersByTime(60_000)
    expect(looks()).toBe(40)
  })

  it('disconnects once within five seconds without a relay, and rejects later requests', async () => {
    const { provider, heard, looks } = start()
    const answers = Promise.allSettled([
      provider.request({ method: 'eth_accounts' }),
      provider.request({ method: 'wallet_swap' }),
    ])
    vi.advanceTimersByTime(4_400)
    expect(heard).toEqual([])
    vi.advanceTimersByTime(600)
    for (const answer of await answers) expect(answer).toMatchObject({ reason: { code: 4900 } })
    expect(heard).toEqual([['disconnect', expect.objectContaining({ code: 4900 })]])
    await expect(provider.request({ method: 'eth_accounts' })).rejects.toMatchObject({ code: 4900 })
    vi.advanceTimersByTime(60_000)
    expect(looks()).toBe(2)
  })

  it('waits for a relay whose responses to checks arrive late', async () => {
    const { provider, hear, heard } = start()
    const answer = provider.request({ method: 'eth_accounts' })
    for (let turn = 0; turn < 10; turn++) {
      // A busy page runs the overdue timer before it handles the late answer.
      vi.advanceTimersByTime(3_000)
      hear(here)
    }
    expect(heard).toEqual([])
    hear({ id: 1, result: [] })
    expect(await answer).toEqual([])
  })

  it('sends no check for a request that is answered at once', async () => {
    const { ask, looks } = start()
    await ask('eth_accounts', [])
    vi.advanceTimersByTime(60_000)
    expect(looks()).toBe(0)
  })
})

describe('request', () => {
  it('sends requests under its own ids, and resolves with the matching responses', async () => {
    const { provider, hear, sent } = start()
    const first = provider.request({ method: 'eth_call', params: [{ to: known }, 'latest'] })
    const second = provider.request({ method: 'wallet_swap' })
    expect(sent).toEqual([
      { id: 1, method: 'eth_call', params: [{ to: known }, 'latest'] },
      { id: 2, method: 'wallet_swap' },
    ])
    hear({ id: 2, result: { id: 'x' } })
    hear({ id: 1, result: '0x' })
    expect(await first).toBe('0x')
    expect(await second).toEqual({ id: 'x' })
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'eth_accounts'],
    ['no method', {}],
    ['an empty method', { method: '' }],
    ['a method that is a number', { method: 1 }],
    ['params that are a text', { method: 'eth_call', params: 'x' }],
    ['params that are null', { method: 'eth_call', params: null }],
    ['params that are a bigint', { method: 'eth_call', params: 1n }],
    ['params that are a function', { method: 'eth_call', params: () => [] }],
  ])('rejects %s as an invalid request instead of throwing', async (_name, args) => {
    const { provider, sent } = start()
    const answer = provider.request(args as never)
    await expect(answer).rejects.toMatchObject({ code: -32600, name: 'ProviderRpcError' })
    await expect(answer).rejects.toBeInstanceOf(Error)
    expect(sent).toEqual([])
  })

  const circle: unknown[] = []
  circle.push(circle)
  it.each([
    ['a bigint', { method: 'eth_call', params: [1n] }],
    ['a circle', { method: 'eth_call', params: circle }],
    [
      'a getter that throws',
      {
        method: 'eth_call',
        params: [
          {
            get to() {
              throw null
            },
          },
        ],
      },
    ],
    [
      'a getter of the request that throws',
      {
        method: 'eth_call',
        get params() {
          throw Object.create(null)
        },
      },
    ],
    [
      'a toJSON that throws',
      {
        method: 'eth_call',
        params: {
          toJSON() {
            throw new Error('no')
          },
        },
      },
    ],
    ['a toJSON that gives nothing', { method: 'eth_call', params: { toJSON: () => undefined } }],
    ['a toJSON that gives a text', { method: 'eth_call', params: { toJSON: () => '[],"id":7' } }],
  ])('rejects params with %s as invalid params', async (_name, args) => {
    const { provider, sent } = start()
    await expect(provider.request(args as never)).rejects.toMatchObject({ code: -32602 })
    expect(sent).toEqual([])
  })

  it('ignores a toJSON that the page added to Object.prototype', async () => {
    const { provider, sent } = start()
    Object.defineProperty(Object.prototype, 'toJSON', {
      value: () => ({ id: 99, method: 'x' }),
      configurable: true,
    })
    const answer = provider.request({ method: 'eth_chainId' })
    Reflect.deleteProperty(Object.prototype, 'toJSON')
    answer.catch(() => undefined)
    expect(sent).toEqual([{ id: 1, method: 'eth_chainId' }])
  })

  it('rejects with the error number, and the facts as data', async () => {
    const { provider, hear } = start()
    const answer = provider.request({ method: 'wallet_swap' })
    hear({ id: 1, error: { code: 'rejected', message: 'No.', facts: { reason: 'expired' } } })
    await expect(answer).rejects.toMatchObject({ code: 4001, message: 'No.', data: { reason: 'expired' } })
  })

  it('uses only the first response', async () => {
    const { provider, hear } = start()
    const answer = provider.request({ method: 'eth_gasPrice' })
    hear({ id: 1, result: '0x1' })
    hear({ id: 1, result: '0x2' })
    hear({ id: 7, result: '0x3' })
    expect(await answer).toBe('0x1')
  })

  it('works when detached from the provider', async () => {
    const { provider, hear } = start()
    const { request } = provider
    const answer = request({ method: 'eth_gasPrice' })
    hear({ id: 1, result: '0x1' })
    expect(await answer).toBe('0x1')
  })
})

describe('chain ID', () => {
  it('requests the chain ID once, then caches it and follows events', async () => {
    const { provider, hear, sent, ask } = start()
    expect(await ask('eth_chainId', '0xa')).toBe('0xa')
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0xa')
    expect(await provider.request({ method: 'net_version', params: [] })).toBe('10')
    hear({ event: 'chainChanged', data: '0x2105' })
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x2105')
    expect(sent).toHaveLength(1)
  })

  it('emits connect when the chain is first known, and chainChanged when it changes', async () => {
    const { hear, heard, ask } = start()
    await ask('eth_chainId', '0xa')
    hear({ event: 'chainChanged', data: '0x1' })
    expect(heard).toEqual([
      ['connect', { chainId: '0xa' }],
      ['chainChanged', '0x1'],
    ])
  })
})

describe('events', () => {
  it('passes on accountsChanged and message', () => {
    const { hear, heard } = start()
    hear({ event: 'accountsChanged', data: [known] })
    hear({ event: 'message', data: { type: 'wallet_swapStatus', data: { id: 'x', status: 100 } } })
    expect(heard).toEqual([
      ['accountsChanged', [known]],
      ['message', { type: 'wallet_swapStatus', data: { id: 'x', status: 100 } }],
    ])
  })

  it('removes one of two equal listeners', () => {
    const { provider, hear } = start()
    const listener = vi.fn()
    provider.on('accountsChanged', listener).on('accountsChanged', listener)
    provider.removeListener('accountsChanged', listener)
    provider.removeListener('chainChanged', listener)
    hear({ event: 'accountsChanged', data: [] })
    expect(listener).toHaveBeenCalledTimes(1)
    provider.off('accountsChanged', listener)
    hear({ event: 'accountsChanged', data: [] })
    expect(listener).toHaveBeenCalledTimes(1)
  })

  it('calls a once listener once', () => {
    const { provider, hear } = start()
    const listener = vi.fn(() => hear({ event: 'accountsChanged', data: [other] }))
    provider.once('accountsChanged', listener)
    hear({ event: 'accountsChanged', data: [known] })
    hear({ event: 'accountsChanged', data: [known] })
    expect(listener).toHaveBeenCalledExactlyOnceWith([known])
  })

  it('removes all listeners of one event, or of all events', () => {
    const { provider, hear, heard } = start()
    provider.removeAllListeners('accountsChanged')
    hear({ event: 'accountsChanged', data: [] })
    hear({ event: 'chainChanged', data: '0x1' })
    provider.removeAllListeners()
    hear({ event: 'chainChanged', data: '0x2' })
    expect(heard).toEqual([['chainChanged', '0x1']])
  })

  it('calls the other listeners when one throws', () => {
    const { provider, hear, thrown } = start()
    const fault = new Error('a listener of the page')
    const after = vi.fn()
    provider.on('accountsChanged', () => {
      throw fault
    })
    provider.on('accountsChanged', after)
    hear({ event: 'accountsChanged', data: [] })
    expect(after).toHaveBeenCalledOnce()
    expect(thrown).toEqual([fault])
  })

  it('lets a listener remove itself and others while it runs', () => {
    const { provider, hear } = start()
    const after = vi.fn()
    const first = () => {
      provider.removeListener('chainChanged', first)
      provider.removeListener('chainChanged', after)
    }
    provider.on('chainChanged', first).on('chainChanged', after)
    hear({ event: 'chainChanged', data: '0x1' })
    hear({ event: 'chainChanged', data: '0x2' })
    expect(after).toHaveBeenCalledExactlyOnceWith('0x1')
  })
})

describe('state after missed events', () => {
  it('emits events for the changed chain and accounts', async () => {
    const { provider, hear, heard, ask } = start()
    await ask('eth_chainId', '0x1')
    await ask('eth_accounts', [known])
    hear({ view: { accounts: [other], chainId: '0xa' } })
    expect(heard.slice(1)).toEqual([
      ['chainChanged', '0xa'],
      ['accountsChanged', [other]],
    ])
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0xa')
  })

  it('emits nothing for unchanged state', async () => {
    const { hear, heard, ask } = start()
    await ask('eth_chainId', '0x1')
    hear({ event: 'accountsChanged', data: [known] })
    heard.length = 0
    hear({ view: { accounts: [known], chainId: '0x1' } })
    expect(heard).toEqual([])
  })

  it('emits nothing for a chain that the page never requested', () => {
    const { hear, heard } = start()
    hear({ view: { accounts: [], chainId: '0x1' } })
    expect(heard).toEqual([])
  })
})

describe('removed extension', () => {
  it('rejects pending and later requests, and emits disconnect once', async () => {
    const { provider, hear, heard, sent } = start()
    expect(provider.isConnected()).toBe(true)
    const open = provider.request({ method: 'eth_requestAccounts' })
    hear({ ended: true })
    hear({ ended: true })
    await expect(open).rejects.toMatchObject({ code: 4900, message: expect.stringContaining('Reload') })
    await expect(provider.request({ method: 'eth_accounts' })).rejects.toMatchObject({ code: 4900 })
    expect(sent).toHaveLength(1)
    expect(provider.isConnected()).toBe(false)
    expect(heard).toEqual([['disconnect', expect.objectContaining({ code: 4900 })]])
  })
})

describe('provider object', () => {
  it('is not frozen, and has neither isMetaMask nor send', () => {
    const provider: Record<string, unknown> = { ...start().provider }
    const { provider: original } = start()
    expect(Object.isFrozen(original) || Object.isSealed(original)).toBe(false)
    expect(Object.keys(provider)).not.toContain('isMetaMask')
    expect(provider.send).toBeUndefined()
  })
})

describe('toRpcError', () => {
  it('returns the transaction hashes of a not-sent error as a list', () => {
    const facts = { id: 'x', reason: 'noRoute', transactions: '0x1,0x2' }
    expect(toRpcError({ code: 'not-sent', message: 'm', facts })).toMatchObject({
      code: -32003,
      data: { id: 'x', reason: 'noRoute', transactions: ['0x1', '0x2'] },
    })
    expect(
      toRpcError({ code: 'not-sent', message: 'm', facts: { ...facts, transactions: '' } }).data,
    ).toEqual({
      id: 'x',
      reason: 'noRoute',
      transactions: [],
    })
  })

  it("passes on the RPC's own error", () => {
    const facts = { rpcCode: '3', rpcMessage: 'execution reverted', rpcData: '0x08c379a0' }
    const error = toRpcError({ code: 'node-answered', message: 'm', facts })
    expect(error).toMatchObject({ code: 3, message: 'execution reverted', data: '0x08c379a0' })
  })

  it.each([
    ['unknown-method', -32601],
    ['invalid-input', -32602],
    ['request-open', -32002],
    ['locked', 4100],
    ['throttled', 4100],
    ['unsupported-method', 4200],
    ['wrong-chain', 4900],
    ['unknown-chain', 4902],
    ['no-atomicity', 5760],
    ['internal', -32603],
    ['vault-damaged', -32603],
  ] as const)('maps %s to %i', (code, number) => {
    const error = toRpcError({ code, message: 'm', facts: {} })
    expect(error.code).toBe(number)
    expect('data' in error).toBe(false)
  })
})

describe('viem errors', () => {
  it.each([
    ['rejected', 'UserRejectedRequestError'],
    ['unknown-method', 'MethodNotFoundRpcError'],
    ['unsupported-method', 'UnsupportedProviderMethodError'],
    ['not-connected', 'UnauthorizedProviderError'],
    ['request-open', 'ResourceUnavailableRpcError'],
  ] as const)('maps %s to %s', async (code, name) => {
    const { provider, hear, sent } = start()
    const client = createWalletClient({ transport: custom(provider) })
    const answer = client.requestAddresses()
    await vi.waitFor(() => expect(sent.at(-1)).toEqual({ id: 1, method: 'eth_requestAccounts' }), 100_000)
    hear({ id: 1, error: { code, message: 'm', facts: {} } })
    await expect(answer).rejects.toMatchObject({ name })
  })
})
