import { describe, expect, it } from 'vitest'
import { createNodes } from '../../src/chain/nodes.ts'
import { createPassthrough } from '../../src/chain/passthrough.ts'
import { local } from '../state/standIns.ts'

/** A node that is out of order, and how often it was asked. */
function broken() {
  let asked = 0
  const nodes = createNodes(local, {
    fetch: async (_url, init) => {
      if (String(init?.body).includes('eth_chainId')) return Response.json({ result: '0x7a69' })
      asked++
      return new Response('', { status: 503 })
    },
    sleep: async () => undefined,
  })
  const pass = createPassthrough(nodes)
  return { pass, asked: () => asked }
}

describe('createPassthrough', () => {
  it('tries a read once more, and a transaction never', async () => {
    const { pass, asked } = broken()
    await expect(pass('eth_getLogs', [])).rejects.toMatchObject({ code: 'node-unreachable' })
    expect(asked()).toBe(2)
    await expect(pass('eth_sendRawTransaction', ['0x'])).rejects.toMatchObject({ code: 'node-unreachable' })
    expect(asked()).toBe(3)
  })
})
