import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../../../dev/world.ts'
import { createNetworks } from '../../../src/background/networks/networks.ts'
import { createPace } from '../../../src/background/page/pace.ts'
import { createReads } from '../../../src/background/page/reads.ts'
import { createSettings } from '../../../src/background/settings.ts'
import { createChain } from '../../../src/chain/client.ts'
import { defaultSettings } from '../../../src/config.ts'
import { memoryArea } from '../memory.ts'

const asker = { origin: 'https://site.example', documentId: 'D', tabId: 1, requestId: 1 }

let world: World
let chainId = 31337
let reads: ReturnType<typeof createReads>
const ask = (method: string, params?: unknown) => reads[method]!(asker, params)

beforeAll(async () => {
  world = await createWorld()
  const local = memoryArea()
  const settings = createSettings(local)
  const [first, ...others] = defaultSettings().networks
  const dead = { ...first!, chainId: 5, name: 'Dead', rpcUrl: 'http://127.0.0.1:9' }
  const networks = [{ ...first!, rpcUrl: world.rpcUrl }, ...others, dead]
  await settings.update(() => ({ ...defaultSettings(), networks }))
  reads = createReads({
    sites: { chain: async () => chainId },
    networks: createNetworks(settings, { createChain, createApi: () => expect.fail('asked') }),
  })
})
afterAll(() => world?.stop())

/** What the node itself says. */
async function direct(method: string, params: unknown[]) {
  const response = await fetch(world.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return (await response.json()) as { result?: unknown; error?: Record<string, unknown> }
}

describe('reads', () => {
  it("are answered with the node's own words", async () => {
    for (const [method, params] of [
      ['eth_blockNumber', []],
      ['eth_getBlockByNumber', ['latest', true]],
      ['eth_getBalance', [world.accounts[0]!.address, 'latest']],
      ['eth_feeHistory', ['0x2', 'latest', [50]]],
      ['eth_getTransactionByHash', [`0x${'00'.repeat(32)}`]],
      ['eth_syncing', []],
      ['web3_sha3', ['0x']],
    ] as const) {
      const { result } = await direct(method, [...params])
      expect(await ask(method, params)).toEqual(result)
    }
    expect(await ask('eth_blockNumber')).toMatch(/^0x/)
  })

  it("pass on the node's refusal, word by word", async () => {
    const call = {
      to: world.tokens.DAI,
      data: encodeFunctionData({
        abi: parseAbi(['function transfer(address, uint256)']),
        args: [world.accounts[0]!.address, 2n ** 255n],
      }),
    }
    const { error } = await direct('eth_call', [call, 'latest'])
    await expect(ask('eth_call', [call, 'latest'])).rejects.toMatchObject({
      code: 'node-answered',
      facts: { rpcCode: String(error?.code), rpcMessage: error?.message, rpcData: error?.data },
    })
    const { error: unread } = await direct('eth_getBalance', ['nobody'])
    await expect(ask('eth_getBalance', ['nobody'])).rejects.toMatchObject({
      code: 'node-answered',
      facts: { rpcCode: String(unread?.code), rpcMessage: unread?.message },
    })
  })

  it('take their params as a list', async () => {
    await expect(ask('eth_call', { to: 'x' })).rejects.toMatchObject({ code: 'invalid-params' })
  })

  it('are no way to the methods of a node that act', () => {
    for (const method of [
      'eth_sendTransaction',
      'eth_sign',
      'eth_accounts',
      'anvil_setBalance',
      'evm_mine',
    ]) {
      expect(Object.hasOwn(reads, method)).toBe(false)
    }
  })

  it('say that there is no node, where there is none or it does not answer', async () => {
    chainId = 1
    await expect(ask('eth_blockNumber')).rejects.toMatchObject({
      code: 'node-unreachable',
      message: expect.stringContaining('Ethereum'),
    })
    chainId = 5
    await expect(ask('eth_sendRawTransaction', ['0x'])).rejects.toMatchObject({ code: 'node-unreachable' })
    chainId = 31337
  })
})

describe('the pace', () => {
  it('lets fifty go at once, then fifty a second, and no origin waits for another', async () => {
    let time = 1_000
    const waits: number[] = []
    const pace = createPace({ perSecond: 50, now: () => time, wait: async (ms) => void waits.push(ms) })
    for (let index = 0; index < 50; index++) await pace('one')
    expect(waits).toEqual([])
    await pace('one')
    await pace('one')
    await pace('other')
    expect(waits).toEqual([20, 40])
    time += 1_040
    for (let index = 0; index < 50; index++) await pace('one')
    expect(waits).toHaveLength(2)
    await pace('one')
    expect(waits).toHaveLength(3)
  })

  it('keeps no name that needs nothing of it', async () => {
    let time = 0
    const pace = createPace({ perSecond: 50, now: () => time, wait: () => expect.fail('waited') })
    for (let index = 0; index < 5_000; index++) {
      await pace(`s${index}`)
      time += 1
    }
  })
})

describe('large reads', () => {
  it('are four at a time, two of them of one site; others do not wait', async () => {
    const begun: string[] = []
    const ends: (() => void)[] = []
    const large = createReads({
      sites: { chain: async () => 1 },
      networks: {
        passthrough: async () => async (method, params) => {
          begun.push(method)
          if (method === 'eth_getBlockByNumber' && params[1] !== true) return 'small'
          await new Promise<void>((end) => ends.push(end))
          return 'large'
        },
      },
    })
    const settled = () => new Promise((resolve) => setTimeout(resolve))
    const from = (origin: string, method: string, params: unknown[] = []) =>
      large[method]!({ ...asker, origin }, params)
    const answers = [
      ...Array.from({ length: 5 }, () => from('one', 'eth_getLogs')),
      from('two', 'eth_getBlockReceipts'),
      from('two', 'eth_getBlockByNumber', ['latest', true]),
      from('three', 'eth_getFilterLogs'),
    ]
    await settled()
    expect(begun).toEqual(['eth_getLogs', 'eth_getLogs', 'eth_getBlockReceipts', 'eth_getBlockByNumber'])
    expect(await from('one', 'eth_getBlockByNumber', ['latest', false])).toBe('small')
    ends[2]?.()
    await settled()
    expect(begun.at(-1)).toBe('eth_getFilterLogs')
    while (ends.length < 8) {
      for (const end of ends) end()
      await settled()
    }
    for (const end of ends) end()
    expect(await Promise.all(answers)).toEqual(Array(8).fill('large'))
  })

  it('make way for the next when they fail', async () => {
    const failing = createReads({
      sites: { chain: async () => 1 },
      networks: { passthrough: async () => () => Promise.reject(new Error('no')) },
    })
    for (let times = 0; times < 6; times++) {
      await expect(failing.eth_getLogs!(asker, [])).rejects.toThrow('no')
    }
  })
})
