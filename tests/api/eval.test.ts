import { describe, expect, it } from 'vitest'
import { json, startFaultServer } from './faultServer.ts'

// In a file of its own: the doors must be the first to load zod.

describe('the doors', () => {
  it('never try to make code from text, which an extension’s pages forbid', async () => {
    const real = globalThis.Function
    let tries = 0
    globalThis.Function = new Proxy(real, {
      construct() {
        tries++
        throw new EvalError('refused by the page’s policy')
      },
    })
    const server = await startFaultServer()
    try {
      const { createHttp } = await import('../../src/api/http.ts')
      const { v6 } = await import('../../src/api/v6.ts')
      const { createChain } = await import('../../src/chain/client.ts')

      server.script(json({ address: `0x${'9a'.repeat(20)}` }))
      await v6(createHttp({ baseUrl: server.url }), 1).spender()
      server.script(json({ result: '0x1' }))
      await createChain({
        chainId: 1,
        name: '',
        coin: { symbol: '', name: '' },
        serviceUrl: '',
        rpcUrl: server.url,
        confirmations: 1,
        quoteEveryMs: 1,
      }).verify()
    } finally {
      globalThis.Function = real
      await server.stop()
    }
    expect(tries).toBe(0)
  })
})
