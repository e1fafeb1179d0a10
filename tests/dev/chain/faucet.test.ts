import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseAbi, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFaucet } from '../../../dev/chain/faucet.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'

describe('faucet', () => {
  let localnet: Localnet
  beforeAll(async () => {
    localnet = await createLocalnet({ faucetPort: 0 })
  })
  afterAll(() => localnet.stop())

  const post = (path: string) => fetch(`${localnet.faucetUrl}${path}`, { method: 'POST' })

  it('sends ten ETH and some of every token to an address', async () => {
    const address = `0x${'cd'.repeat(20)}` as const
    const response = await post(`/0x${'CD'.repeat(20)}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual({ funded: address })

    expect(await localnet.client.getBalance({ address })).toBe(parseEther('10'))
    const abi = parseAbi(['function balanceOf(address) view returns (uint256)'])
    for (const token of Object.values(localnet.tokens)) {
      const call = { address: token, abi, functionName: 'balanceOf', args: [address] } as const
      expect(await localnet.client.readContract(call)).toBeGreaterThan(0n)
    }
  })

  it('serves concurrent requests', async () => {
    const answers = await Promise.all([2, 3, 4].map((last) => post(`/0x${'ef'.repeat(19)}0${last}`)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it.each(['/', '/hello', '/0x1234', `/0x${'g'.repeat(40)}`, `/0x${'a'.repeat(40)}/more`])(
    'rejects %s with an error sentence',
    async (path) => {
      const response = await post(path)
      expect(response.status).toBe(400)
      expect(await response.json()).toEqual({ error: expect.stringMatching(/^[A-Z].+\.$/) })
    },
  )

  it('rejects a GET request and sends nothing', async () => {
    const response = await fetch(`${localnet.faucetUrl}/0x${'ab'.repeat(20)}`)
    expect(response.status).toBe(405)
    expect(await localnet.client.getBalance({ address: `0x${'ab'.repeat(20)}` })).toBe(0n)
  })

  it('allows requests from any origin', async () => {
    const preflight = await fetch(`${localnet.faucetUrl}/0x${'ab'.repeat(20)}`, {
      method: 'OPTIONS',
      headers: { Origin: 'chrome-extension://abc', 'Access-Control-Request-Method': 'POST' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
    expect((await post('/hello')).headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('startFaucet', () => {
  it('reports a failed transfer with an error sentence', async () => {
    const give = () => Promise.reject(new Error('The node is gone.'))
    const faucet = await startFaucet(give, 0)
    const response = await fetch(`${faucet.url}/0x${'ab'.repeat(20)}`, { method: 'POST' })
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({ error: 'The faucet could not give. The node is gone.' })
    await faucet.stop()
  })

  it('throws when its port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    await expect(startFaucet(async () => undefined, port)).rejects.toThrow('EADDRINUSE')
    other.close()
  })
})
