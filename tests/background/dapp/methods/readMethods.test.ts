import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../../dev/localnet.ts'
import { createFilters } from '../../../../src/background/dapp/methods/filters.ts'
import { createReadMethods } from '../../../../src/background/dapp/methods/readMethods.ts'
import { createNetworks } from '../../../../src/background/networks/networks.ts'
import { createSettings } from '../../../../src/background/settings.ts'
import { defaultSettings } from '../../../../src/config.ts'
import { WalletError } from '../../../../src/errors.ts'
import { createChain } from '../../../../src/evm/client.ts'
import { createRateLimiter } from '../../../../src/lib/async/rateLimiter.ts'
import { memoryArea } from '../../../helpers/background/memoryArea.ts'

const asker = { origin: 'https://site.example', documentId: 'D', tabId: 1, requestId: 1 }

function sitesOf(chain: () => number, connected: string[] = []) {
  return {
    chain: async () => chain(),
    async requireConnection(origin: string) {
      if (!connected.includes(origin)) throw new WalletError('not-connected', 'Connect first.')
    },
  }
}

const createNoFilters = () => createFilters({ session: memoryArea() })

let localnet: Localnet
let chainId = 31337
let reads: ReturnType<typeof createReadMethods>
const ask = (method: string, params?: unknown) => reads[method]!(asker, params)

beforeAll(async () => {
  localnet = await createLocalnet()
  const local = memoryArea()
  const settings = createSettings(local)
  const [first, ...others] = defaultSettings().networks
  const dead = { ...first!, chainId: 5, name: 'Dead', rpcUrl: 'http://127.0.0.1:9' }
  const networks = [{ ...first!, rpcUrl: localnet.rpcUrl }, ...others, dead]
  await settings.update(() => ({ ...defaultSettings(), networks }))
  reads = createReadMethods({
    sites: sitesOf(() => chainId, [asker.origin]),
    filters: createNoFilters(),
    networks: createNetworks(settings, { createChain, createApi: () => expect.fail('asked') }),
  })
})
afterAll(() => localnet?.stop())

async function direct(method: string, params: unknown[]) {
  const response = await fetch(localnet.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return (await response.json()) as { result?: unknown; error?: Record<string, unknown> }
}

describe('read methods', () => {
  it('returns the result of the RPC unchanged', async () => {
    for (const [method, params] of [
      ['eth_blockNumber', []],
      ['eth_getBlockByNumber', ['latest', true]],
      ['eth_getBalance', [localnet.accounts[0]!.address, 'latest']],
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

  it('rethrows the error of the RPC with its code, message and data', async () => {
    const call = {
      to: localnet.tokens.DAI,
      data: encodeFunctionData({
        abi: parseAbi(['function transfer(address, uint256)']),
        args: [localnet.accounts[0]!.address, 2n ** 255n],
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

  it('rejects params that are not a list', async () => {
    await expect(ask('eth_call', { to: 'x' })).rejects.toMatchObject({ code: 'invalid-params' })
  })

  it('does not pass on signing, account and administrative methods', () => {
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

  it('throws node-unreachable when no RPC is set or the RPC does not answer', async () => {
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

describe('read methods that need a connection', () => {
  const stranger = { ...asker, origin: 'https://stranger.example' }
  const askAs = (by: typeof asker, method: string, params: unknown[] = []) => reads[method]!(by, params)

  it.each<[method: string, params: unknown[]]>([
    ['eth_sendRawTransaction', ['0x02f870']],
    ['eth_newPendingTransactionFilter', []],
    ['eth_getBlockByNumber', ['pending', false]],
    ['eth_getBlockByNumber', [' Pending', true]],
    ['eth_getBlockReceipts', ['pending']],
    ['eth_getBlockReceipts', [{ blockNumber: 'pending' }]],
    ['eth_getBlockTransactionCountByNumber', ['pending']],
    ['eth_getTransactionByBlockNumberAndIndex', ['pending', '0x0']],
    ['eth_getLogs', [{ fromBlock: 'pending' }]],
    ['eth_newFilter', [{ toBlock: 'pending' }]],
  ])('requires a connection for %s %j', async (method, params) => {
    await expect(askAs(stranger, method, params)).rejects.toMatchObject({ code: 'not-connected' })
    await expect(askAs(asker, method, params).catch(({ code }: WalletError) => code)).resolves.not.toBe(
      'not-connected',
    )
  })

  it('requires no connection for public blocks and state', async () => {
    const { address } = localnet.accounts[0]!
    for (const [method, params] of [
      ['eth_getBlockByNumber', ['latest', false]],
      ['eth_getTransactionCount', [address, 'pending']],
      ['eth_getLogs', [{ fromBlock: 'latest' }]],
      ['eth_newFilter', [{ fromBlock: 'latest' }]],
      ['eth_newBlockFilter', []],
    ] as const) {
      await expect(askAs(stranger, method, [...params]), method).resolves.toBeDefined()
    }
  })
})

describe('filters', () => {
  const other = { ...asker, origin: 'https://other.example' }
  const missing = { code: 'node-answered', facts: { rpcCode: '-32000', rpcMessage: 'filter not found' } }

  it('answers only the site that created the filter', async () => {
    const id = await ask('eth_newBlockFilter')
    await localnet.client.mine({ blocks: 1 })
    await expect(reads.eth_getFilterChanges!(other, [id])).rejects.toMatchObject(missing)
    await expect(reads.eth_getFilterLogs!(other, [id])).rejects.toMatchObject(missing)
    expect(await reads.eth_uninstallFilter!(other, [id])).toBe(false)
    expect(await ask('eth_getFilterChanges', [id])).toHaveLength(1)
    expect(await ask('eth_uninstallFilter', [id])).toBe(true)
    await expect(ask('eth_getFilterChanges', [id])).rejects.toMatchObject(missing)
    expect(await ask('eth_uninstallFilter', [id])).toBe(false)
  })

  it('rejects a filter id that the wallet did not create', async () => {
    const { result: id } = await direct('eth_newBlockFilter', [])
    await expect(ask('eth_getFilterChanges', [id])).rejects.toMatchObject(missing)
    await expect(ask('eth_getFilterChanges', [[id]])).rejects.toMatchObject(missing)
  })

  it('rejects a pending-transaction filter after the site is disconnected', async () => {
    const connected = [asker.origin]
    const own = createReadMethods({
      sites: sitesOf(() => 1, connected),
      filters: createNoFilters(),
      networks: { passthrough: async () => async (method) => (method.startsWith('eth_new') ? '0x1' : []) },
    })
    const id = await own.eth_newPendingTransactionFilter!(asker, [])
    expect(await own.eth_getFilterChanges!(asker, [id])).toEqual([])
    connected.pop()
    await expect(own.eth_getFilterChanges!(asker, [id])).rejects.toMatchObject({ code: 'not-connected' })
  })

  it('keeps at most twenty filters per site and uninstalls the least recently used', async () => {
    let made = 0
    const uninstalled: unknown[] = []
    let clock = 1
    const own = createReadMethods({
      sites: sitesOf(() => 1),
      filters: createFilters({ session: memoryArea(), now: () => clock++ }),
      networks: {
        passthrough: async () => async (method, params) => {
          if (method === 'eth_uninstallFilter') uninstalled.push(params[0])
          return method === 'eth_newFilter' ? `0x${(++made).toString(16)}` : []
        },
      },
    })
    const untouched = await own.eth_newFilter!(other, [{}])
    const first = await own.eth_newFilter!(asker, [{}])
    const second = await own.eth_newFilter!(asker, [{}])
    for (let count = 2; count < 20; count++) await own.eth_newFilter!(asker, [{}])
    expect(uninstalled).toEqual([])
    await own.eth_getFilterChanges!(asker, [first])
    await own.eth_newFilter!(asker, [{}])
    expect(uninstalled).toEqual([second])
    await expect(own.eth_getFilterChanges!(asker, [second])).rejects.toMatchObject(missing)
    expect(await own.eth_getFilterChanges!(asker, [first])).toEqual([])
    expect(await own.eth_getFilterChanges!(other, [untouched])).toEqual([])
  })

  it('keeps filters across worker restarts, per chain, and drops idle ones', async () => {
    const session = memoryArea()
    let clock = 0
    const before = createFilters({ session, now: () => clock })
    await before.add({ origin: 'o', chainId: 1, id: '0x1', isPending: false })
    const after = createFilters({ session, now: () => clock })
    expect(await after.require('o', 1, '0x1')).toMatchObject({ id: '0x1' })
    await expect(after.require('o', 2, '0x1')).rejects.toMatchObject(missing)
    clock += 5 * 60_000
    await after.add({ origin: 'p', chainId: 1, id: '0x2', isPending: false })
    await expect(after.require('o', 1, '0x1')).rejects.toMatchObject(missing)
  })

  it('keeps at most two hundred filters and drops one of a site with the most', async () => {
    const filters = createFilters({ session: memoryArea() })
    for (let site = 0; site < 10; site++) {
      for (let one = 0; one < 20; one++) {
        await filters.add({ origin: `s${site}`, chainId: 1, id: `${site}-${one}`, isPending: false })
      }
    }
    const dropped = await filters.add({ origin: 'late', chainId: 1, id: 'x', isPending: false })
    expect(dropped).toHaveLength(1)
    expect(dropped[0]?.origin).not.toBe('late')
    expect(await filters.require('late', 1, 'x')).toBeDefined()
  })
})

describe('createRateLimiter', () => {
  it('allows a burst of fifty, then fifty per second, for each origin separately', async () => {
    let time = 1_000
    const waits: number[] = []
    const pace = createRateLimiter({
      perSecond: 50,
      now: () => time,
      wait: async (ms) => void waits.push(ms),
    })
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

  it('does not delay single calls of 5,000 origins', async () => {
    let time = 0
    const pace = createRateLimiter({ perSecond: 50, now: () => time, wait: () => expect.fail('waited') })
    for (let index = 0; index < 5_000; index++) {
      await pace(`s${index}`)
      time += 1
    }
  })
})

describe('large reads', () => {
  it('runs four large reads at a time, two per site, without delaying small reads', async () => {
    const begun: string[] = []
    const ends: (() => void)[] = []
    const large = createReadMethods({
      sites: sitesOf(() => 1),
      filters: createNoFilters(),
      networks: {
        passthrough: async () => async (method, params) => {
          if (method.startsWith('eth_new')) return method
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
      from('three', 'eth_getFilterLogs', [await from('three', 'eth_newFilter', [{}])]),
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

  it('continues with further large reads after failures', async () => {
    const failing = createReadMethods({
      sites: sitesOf(() => 1),
      filters: createNoFilters(),
      networks: { passthrough: async () => () => Promise.reject(new Error('no')) },
    })
    for (let times = 0; times < 6; times++) {
      await expect(failing.eth_getLogs!(asker, [])).rejects.toThrow('no')
    }
  })
})
