import { describe, expect, it } from 'vitest'
import { createPassthrough } from '../../src/chain/passthrough.ts'

/** A node that is out of order, and how often it was asked. */
function broken() {
  let asked = 0
  const pass = createPassthrough('https://node.example', {
    fetch: async () => {
      asked++
      return new Response('', { status: 503 })
    },
    sleep: async () => undefined,
  })
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
