import { keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { createFallback } from '../../../src/evm/rpc/fallback.ts'
import { createProxyRequest } from '../../../src/evm/rpc/proxyRequest.ts'
import { local } from '../../helpers/state/fakes.ts'

function broken() {
  let asked = 0
  const nodes = createFallback(local, {
    fetch: async (_url, init) => {
      if (String(init?.body).includes('eth_chainId')) return Response.json({ result: '0x7a69' })
      asked++
      return new Response('', { status: 503 })
    },
    sleep: async () => undefined,
  })
  const pass = createProxyRequest(nodes)
  return { pass, asked: () => asked }
}

function refusing(error: object) {
  const nodes = createFallback(local, {
    fetch: async (_url, init) =>
      Response.json(String(init?.body).includes('eth_chainId') ? { result: '0x7a69' } : { error }),
  })
  return createProxyRequest(nodes)
}

function talkative(bytes: number) {
  const text = 'a'.repeat(bytes)
  const nodes = createFallback(local, {
    fetch: async (_url, init) =>
      Response.json({ result: String(init?.body).includes('eth_chainId') ? '0x7a69' : text }),
  })
  return createProxyRequest(nodes)
}

describe('createProxyRequest', () => {
  it('accepts long responses only for logs and blocks', async () => {
    const pass = talkative(1_000_000)
    for (const method of ['eth_getLogs', 'eth_getFilterLogs', 'eth_getFilterChanges', 'eth_getBlockReceipts'])
      expect(await pass(method, [])).toHaveLength(1_000_000)
    for (const method of ['eth_call', 'eth_getProof', 'eth_feeHistory', 'eth_createAccessList'])
      await expect(pass(method, [])).rejects.toMatchObject({ code: 'node-unreachable' })
    expect(await talkative(999_000)('eth_call', [])).toHaveLength(999_000)
  })

  it.each(['already known', 'ALREADY_EXISTS: already known', 'AlreadyKnown', 'transaction already imported'])(
    'returns the hash of a transaction that the RPC already has: %s',
    async (message) => {
      const raw = '0x02f870' as const
      const pass = refusing({ code: -32000, message })
      expect(await pass('eth_sendRawTransaction', [raw])).toBe(keccak256(raw))
      await expect(pass('eth_call', [raw])).rejects.toMatchObject({ code: 'node-answered' })
    },
  )

  it('passes on any other rejection of a transaction', async () => {
    const pass = refusing({ code: -32000, message: 'nonce too low' })
    const facts = { rpcCode: '-32000', rpcMessage: 'nonce too low' }
    await expect(pass('eth_sendRawTransaction', ['0x02'])).rejects.toMatchObject({
      code: 'node-answered',
      facts,
    })
  })

  it('retries a read once, and a transaction never', async () => {
    const { pass, asked } = broken()
    await expect(pass('eth_getLogs', [])).rejects.toMatchObject({ code: 'node-unreachable' })
    expect(asked()).toBe(2)
    await expect(pass('eth_sendRawTransaction', ['0x'])).rejects.toMatchObject({ code: 'node-unreachable' })
    expect(asked()).toBe(3)
  })
})
