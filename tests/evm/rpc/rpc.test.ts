import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isTransient } from '../../../src/background/transactions/retryPolicy.ts'
import type { Address, Hex } from '../../../src/domain/token/token.ts'
import { type Chain, createChain } from '../../../src/evm/client.ts'
import { createRpc, createRpcRequest, type RpcLimits } from '../../../src/evm/rpc/rpc.ts'
import { failure } from '../../helpers/failure.ts'
import { serving } from '../../helpers/node/answerChainId.ts'
import {
  cutOff,
  type Fault,
  type FaultServer,
  hangUp,
  html,
  json,
  silent,
  stalled,
  startFaultServer,
  text,
} from '../../helpers/node/faultServer.ts'
import { localNetwork } from '../../helpers/node/localNetwork.ts'
import { local } from '../../helpers/state/fakes.ts'

const account: Address = `0x${'ac'.repeat(20)}`
const hash: Hex = `0x${'12'.repeat(32)}`

let server: FaultServer
let naps: number[]

beforeAll(async () => {
  server = await startFaultServer()
})
afterAll(() => server.stop())

describe('read requests', () => {
  it('sends one JSON-RPC call without cookies and referrer', async () => {
    server.script(json({ jsonrpc: '2.0', id: 1, result: '0x7a69' }))
    expect(await chainId()).toBe('0x7a69')
    const [asked] = server.asked
    expect(asked).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } })
    expect(JSON.parse(asked!.body)).toEqual({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
    expect(asked!.headers).not.toHaveProperty('cookie')
    expect(asked!.headers).not.toHaveProperty('referer')
  })

  it('tries four times with growing delays when the RPC is down', async () => {
    for (const fault of [hangUp, html(502), cutOff, text('', 500)]) {
      server.script(fault)
      expect(await failure(chainId())).toMatchObject({ code: 'node-unreachable' })
      expect(server.asked).toHaveLength(4)
      expect(naps).toEqual([250, 500, 1_000])
    }
  })

  it('returns the result once the RPC recovers', async () => {
    server.script(hangUp, html(503), hangUp, json({ result: '0x1' }))
    expect(await chainId()).toBe('0x1')
  })

  it('waits for Retry-After, unless it exceeds the deadline', async () => {
    server.script(text('', 429, { 'retry-after': '1' }), json({ result: '0x1' }))
    expect(await chainId()).toBe('0x1')
    expect(naps).toEqual([1_250])
    server.script(text('', 429, { 'retry-after': '30' }))
    expect(await failure(chainId({ deadlineMs: 5_000 }))).toMatchObject({
      code: 'node-unreachable',
      facts: { status: '429' },
    })
    expect(server.asked).toHaveLength(1)
  })

  it('backs off from a rate limit in a response body as from HTTP 429', async () => {
    const limit = json({ error: { code: -32016, message: 'over rate limit' } })
    server.script(limit, json({ result: '0x1' }))
    expect(await chainId()).toBe('0x1')
    expect(naps).toEqual([2_250])
    server.script(limit)
    expect(await failure(chainId())).toMatchObject({
      code: 'node-unreachable',
      facts: { status: '429', rpcCode: '-32016', rpcMessage: 'over rate limit' },
    })
    expect(server.asked).toHaveLength(4)
    server.script(limit)
    await failure(chainId({ deadlineMs: 2_000 }))
    expect(server.asked).toHaveLength(1)
  })

  it('retries after an internal error in a response body', async () => {
    const outage = json({ error: { code: -32603, message: 'Internal error' } })
    server.script(outage, outage, json({ result: '0x1' }))
    expect(await chainId()).toBe('0x1')
    expect(naps).toEqual([250, 500])
    server.script(outage)
    expect(await failure(chainId())).toMatchObject({ code: 'node-unreachable', facts: { status: '503' } })
    expect(server.asked).toHaveLength(4)
  })

  it.each([401, 402, 403, 408, 425])(
    'treats HTTP %i as no answer, whatever the body contains',
    async (status) => {
      for (const fault of [
        html(status),
        json({ error: { code: -32000, message: 'see the dashboard' } }, status),
        json({ jsonrpc: '2.0', id: 1, result: '0x1' }, status),
      ]) {
        server.script(fault)
        expect(await failure(chainId())).toMatchObject({
          code: 'node-unreachable',
          facts: { status: `${status}` },
        })
      }
    },
  )

  it.each([
    ['a text for an error', { error: 'Rate limit exceeded' }],
    ['a text for a code', { error: { code: '-32005', message: 'Please wait a moment.' } }],
    ['another id', { id: null, error: { code: -32016, message: 'over rate limit' } }],
  ])('backs off from a rate limit with %s', async (_form, body) => {
    server.script(json(body), json({ result: '0x1' }))
    expect(await chainId()).toBe('0x1')
    expect(naps).toEqual([2_250])
  })

  it('retries after HTTP 403 with an error that does not concern the call', async () => {
    server.script(json({ error: { code: -32600, message: 'capacity used' } }, 403), json({ result: '0x1' }))
    expect(await chainId()).toBe('0x1')
  })

  it.each([400, 403, 404, 500, 503])(
    'reads an error about the call with HTTP %i, without a retry',
    async (status) => {
      for (const [error, code] of [
        [{ code: -32601, message: 'rpc method is not whitelisted' }, 'node-refused'],
        [{ code: 3, message: 'execution reverted', data: '0x' }, 'reverted'],
        [{ code: -32000, message: 'insufficient funds for transfer' }, 'not-enough-gas'],
      ] as const) {
        server.script(json({ error }, status))
        expect(await failure(chainId())).toMatchObject({ code })
        expect(server.asked).toHaveLength(1)
      }
    },
  )

  it('treats an unclear error with HTTP 500 as no answer', async () => {
    server.script(json({ error: { code: -32000, message: 'oops' } }, 500))
    expect(await failure(chainId())).toMatchObject({
      code: 'node-unreachable',
      facts: { rpcMessage: 'oops' },
    })
    expect(server.asked).toHaveLength(4)
  })

  it('keeps 300 characters of an error message, and drops its data', async () => {
    const words = 'over rate limit '.repeat(10_000)
    server.script(json({ error: { code: -32016, message: words, data: words } }))
    const { facts } = await failure(chainId())
    expect(facts.rpcMessage).toHaveLength(300)
    expect(facts).not.toHaveProperty('rpcData')
  })

  it('aborts at its deadline, before or during the response', async () => {
    for (const fault of [silent, stalled]) {
      server.script(fault)
      expect(await failure(chainId({ deadlineMs: 200 }))).toMatchObject({ code: 'node-timeout' })
    }
  })

  it('rejects a result of the wrong type without a retry', async () => {
    for (const answer of [json({ result: 5 }), json({ result: null }), json({ result: { error: 'no' } })]) {
      server.script(answer)
      const error = await failure(chainId())
      expect(error).toMatchObject({ code: 'node-refused' })
      expect(isTransient(error)).toBe(true)
      expect(server.asked).toHaveLength(1)
    }
  })

  it.each<[string, Fault]>([
    ['a page', html(200)],
    ['nothing', text('')],
    ['a part of an answer', text('{"result": "0x')],
    ['an empty object', json({})],
    ['a list', json([])],
    ['null', json(null)],
    ['no error', json({ error: null })],
    ['a result with HTTP 404', json({ result: '0x1' }, 404)],
    ['the answer to another question', json({ id: 2, result: '0x1' })],
    ['an id that is no text', json({ id: { toString: null, valueOf: null }, result: '0x1' })],
    ['a text with HTTP 404', text('default backend - 404', 404)],
    ['HTTP 413', text('', 413)],
    ['HTTP 451', text('', 451)],
  ])('retries after %s instead of JSON-RPC, and reports a transient error', async (_form, fault) => {
    server.script(fault, json({ result: '0x1' }))
    expect(await chainId()).toBe('0x1')
    expect(naps).toEqual([250])
    server.script(fault)
    const error = await failure(chainId())
    expect(error).toMatchObject({ code: 'node-refused', facts: { status: expect.any(String) } })
    expect(isTransient(error)).toBe(true)
    expect(server.asked).toHaveLength(4)
  })

  it.each<[string, Fault]>([
    ['a code of its own', json({ code: 429, msg: 'rate limited' })],
    ['a message', json({ message: 'Too many requests' })],
    ['a true error', json({ error: true, message: 'rate limit exceeded' })],
    ['a list of errors', json({ id: 1, error: [{ code: -32005, message: 'rate limit' }] })],
    ['a list of an answer', json([{ id: 1, error: { code: -32005, message: 'rate limit' } }])],
    ['an error for another question', json({ id: 2, error: { code: -32005, message: 'rate limit' } })],
    ['a word for a code', json({ error: { code: 'RATE_LIMIT', message: 'see the dashboard' } })],
    ['a result in words', json({ status: '0', message: 'NOTOK', result: 'Max rate limit reached' })],
    ['a text and HTTP 400', text('Too many requests', 400)],
    ['a page', text('<html><title>Too many requests</title></html>')],
  ])('backs off from a rate limit in another form: %s', async (_form, fault) => {
    server.script(fault, json({ result: '0x1' }))
    expect(await chainId()).toBe('0x1')
    expect(naps).toEqual([2_250])
    server.script(fault)
    const error = await failure(chainId())
    expect(error).toMatchObject({ code: 'node-unreachable' })
    expect(server.asked).toHaveLength(4)
  })

  it.each<[string, object]>([
    ['unheard-of words', { code: -32000, message: 'Dienst nicht erreichbar' }],
    ['a busy server', { code: -32000, message: 'server is too busy' }],
    ['a block that is not there yet', { code: -32000, message: 'header not found' }],
    ['no words', {}],
  ])('retries after an error with %s, which does not concern the call', async (_words, error) => {
    for (const status of [200, 400, 404]) {
      server.script(json({ error }, status), json({ result: '0x1' }))
      expect(await chainId()).toBe('0x1')
      server.script(json({ error }, status))
      expect(await failure(chainId())).toMatchObject({ code: 'node-unreachable' })
      expect(server.asked).toHaveLength(4)
    }
  })

  it('passes a missing block to the simulation without a retry', async () => {
    server.script(json({ error: { code: -32000, message: 'header not found' } }))
    const rpc = createRpc(createRpcRequest({ url: server.url, deadlineMs: 60_000, retries: 3, ...parts() }))
    expect(await rpc.attempt('eth_simulateV1', [], v.string())).toMatchObject({
      refusal: { message: 'header not found' },
    })
    expect(server.asked).toHaveLength(1)
  })

  it('reports the RPC’s rejection with a cleaned message', async () => {
    server.script(json({ error: { code: -32601, message: 'the method\u202e eth_chainId does not exist' } }))
    expect(await failure(chainId())).toMatchObject({
      code: 'node-refused',
      facts: {
        method: 'eth_chainId',
        rpcCode: '-32601',
        rpcMessage: 'the method eth_chainId does not exist',
      },
    })
  })

  it('sends no request without a valid RPC URL', async () => {
    server.script(json({ result: '0x1' }))
    for (const url of ['', 'ws://127.0.0.1:1', 'node']) {
      expect(await failure(chainId({ url }))).toMatchObject({
        code: 'invalid-input',
        facts: { field: 'rpcUrl' },
      })
    }
    expect(server.asked).toHaveLength(0)
  })

  it('omits the RPC URL, which may hold a key, from errors', async () => {
    for (const fault of [hangUp, html(500), json({ error: { code: 1, message: 'no' } })]) {
      server.script(fault)
      const error = await failure(chainId({ url: `${server.url}/v2/my-secret-key` }))
      expect(error.message + JSON.stringify(error)).not.toContain('my-secret-key')
    }
  })

  it('redacts the URL’s key in plain, percent-encoded and escaped form, and reads the rest', async () => {
    const escaped = [...'my-secret-key'].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join('')
    for (const way of ['my-secret-key', 'my%2Dsecret%2dkey', escaped]) {
      server.script(text(`{"error": {"code": 3, "message": "reverted by ${way}", "data": "0x"}}`))
      const error = await failure(chainId({ url: `${server.url}/v2/my-secret-key` }))
      expect(error).toMatchObject({ code: 'reverted', facts: { reason: 'reverted by ...' } })
    }
  })

  it('reads an error whose JSON also occurs in the RPC URL', async () => {
    // Redaction spares JSON syntax.
    server.script(json({ error: { code: -32000, message: 'nonce', data: 'x' } }))
    const url = `${server.url}/{"code":-32000,"message":"nonce","data":"x"}`
    expect(await failure(chainId({ url }))).toMatchObject({
      code: 'node-refused',
      facts: { rpcMessage: 'nonce: x' },
    })
  })
})

describe('send', () => {
  it('does not retry after a failure', async () => {
    for (const [fault, code] of [
      [hangUp, 'node-unreachable'],
      [html(503), 'node-unreachable'],
      [text('', 429), 'node-unreachable'],
    ] as const) {
      server.script(fault)
      expect(await failure(chain().send('0x02'))).toMatchObject({ code })
      expect(server.asked).toHaveLength(1)
    }
  })

  it.each([
    ['already known', 'known'],
    ['tx already in mempool', 'known'],
    ['OldNonce, Current nonce: 5, nonce of rejected tx: 4', 'nonce-used'],
    ['invalid nonce; got 4, expected 5: invalid sequence', 'nonce-used'],
  ])('maps the RPC message "%s" to the outcome %s', async (message, outcome) => {
    server.script(json({ error: { code: -32000, message } }))
    expect(await chain().send('0x02')).toBe(outcome)
  })

  it.each([
    ['sender balance < tx cost (0 < 5): insufficient funds', 'not-enough-gas'],
    ['Replacement transaction underpriced', 'underpriced'],
    ['over rate limit', 'node-unreachable'],
    ['nonce too high', 'node-refused'],
    ['Dienst nicht erreichbar', 'node-unreachable'],
    ['could not replace existing tx', 'underpriced'],
  ])('maps the RPC message "%s" to the error %s', async (message, code) => {
    server.script(json({ error: { code: -32000, message } }))
    expect(await failure(chain().send('0x02'))).toMatchObject({ code })
    expect(server.asked).toHaveLength(1)
  })
})

describe('untrustworthy RPC responses', () => {
  it('ignores a transaction or receipt with another hash', async () => {
    const other = `0x${'34'.repeat(32)}`
    server.script(json({ result: { hash: other, blockNumber: '0x1' } }))
    expect(await chain().transaction(hash)).toBeUndefined()
    const receipt = {
      transactionHash: other,
      status: '0x1',
      blockNumber: '0x1',
      gasUsed: '0x1',
      effectiveGasPrice: '0x1',
      logs: [],
    }
    server.script(json({ result: receipt }))
    expect(await chain().receipt(hash)).toBeUndefined()
    server.script(json({ result: { ...receipt, transactionHash: hash } }))
    expect(await chain().receipt(hash)).toMatchObject({ status: 'success', blockNumber: 1n })
  })

  it('rejects malformed numbers, balances, receipts and hashes', async () => {
    const lies: [unknown, (chain: Chain) => Promise<unknown>][] = [
      ['0x', (chain) => chain.blockNumber()],
      ['-0x1', (chain) => chain.blockNumber()],
      [`0x1${'0'.repeat(64)}`, (chain) => chain.estimateGas(call)],
      ['0x20000000000000', (chain) => chain.nonces(account)],
      [{ baseFeePerGas: [] }, (chain) => chain.fees()],
      ['nothing', (chain) => chain.balances(account, [account])],
      ['0x123', (chain) => chain.balances(account, [account])],
      [{ transactionHash: hash, status: 'ok' }, (chain) => chain.receipt(hash)],
      [{ hash }, (chain) => chain.transaction(hash)],
      ['done', (chain) => chain.send('0x02')],
    ]
    for (const [result, ask] of lies) {
      server.script(json({ result }))
      expect(await failure(ask(chain())), JSON.stringify(result)).toMatchObject({ code: 'node-refused' })
    }
  })

  it('rejects a chain ID that is not hex', async () => {
    for (const result of ['31337', 31337]) {
      server.script(json({ result }))
      const bare = createChain({ ...local, rpcUrl: server.url }, parts())
      expect(await failure(bare.verify())).toMatchObject({ code: 'node-refused' })
    }
  })

  it('reports not-enough-gas when the RPC reports insufficient funds', async () => {
    server.script(json({ error: { code: -32000, message: 'insufficient funds for transfer' } }))
    expect(await failure(chain().estimateGas(call))).toMatchObject({ code: 'not-enough-gas' })
  })

  it('does not treat a rate limit as a result of a simulated call', async () => {
    server.script(json({ error: { code: -32005, message: 'limit exceeded' } }))
    expect(await failure(chain().needsReset(account, account, account, 1n))).toMatchObject({
      code: 'node-unreachable',
    })
    expect(await failure(chain().balances(account, [account]))).toMatchObject({ code: 'node-unreachable' })
  })
})

const call = { from: account, to: account, data: '0x', value: 0n } as const

function chainId(more: Partial<RpcLimits & { url: string }> = {}): Promise<string> {
  const rpc = createRpc(
    createRpcRequest({ url: server.url, deadlineMs: 60_000, retries: 3, ...parts(), ...more }),
  )
  return rpc.ask('eth_chainId', [], v.string())
}

function chain(): Chain {
  const network = localNetwork({ chainId: 31337, rpcUrl: server.url })
  return createChain(network, { ...parts(), fetch: serving(31337) })
}

function parts() {
  naps = []
  return { random: () => 0.5, sleep: async (ms: number) => void naps.push(ms) }
}
