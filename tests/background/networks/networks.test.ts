import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SwapApi } from '../../../src/api/client.ts'
import { createNetworks } from '../../../src/background/networks/networks.ts'
import { createSettings } from '../../../src/background/settings.ts'
import { defaultSettings } from '../../../src/config.ts'
import type { Network } from '../../../src/domain/network/network.ts'
import { WalletError } from '../../../src/errors.ts'
import { createChain } from '../../../src/evm/client.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'
import { hangUp } from '../../helpers/node/faultServer.ts'
import { type MoodyNode, startMoodyNode } from '../../helpers/node/faultyRpc.ts'

describe('createNetworks', () => {
  const settings = createSettings(memoryArea())
  const networks = createNetworks(settings, {
    createChain: (network) => network as never,
    createApi: (network) => network as never,
  })

  it('creates clients with the addresses in the settings', async () => {
    expect(await networks.chain(31337)).toMatchObject({ rpcUrl: 'http://127.0.0.1:8545' })
    expect(await networks.api(31337)).toMatchObject({ serviceUrl: 'http://127.0.0.1:8787' })
  })

  it('rejects a network without an RPC or service address', async () => {
    const refusal = {
      code: 'invalid-input',
      message: expect.stringContaining('Set its address in Settings.'),
    }
    await expect(networks.chain(1)).rejects.toMatchObject({
      ...refusal,
      facts: { field: 'rpcUrl', chainId: '1' },
    })
    // Direct swaps need the RPC alone, but Gnosis has no Uniswap.
    await expect(networks.api(1)).rejects.toMatchObject({
      ...refusal,
      facts: { field: 'rpcUrl', chainId: '1' },
    })
    await expect(networks.api(100)).rejects.toMatchObject({
      ...refusal,
      facts: { field: 'serviceUrl', chainId: '100' },
    })
  })

  it('swaps directly without a service, or if asked to', async () => {
    const own = createSettings(memoryArea())
    const made = createNetworks(own, {
      createChain: (network) => network as never,
      createApi: () => ({ from: 'service' }) as never,
      createDirect: ({ name }, { router }) => ({ from: 'direct', name, router }) as never,
    })
    const rpcUrl = 'https://rpc.example'
    const change = (serviceUrl: string) =>
      own.update((before) => ({
        ...before,
        networks: before.networks.map((one) => (one.chainId === 8453 ? { ...one, rpcUrl, serviceUrl } : one)),
      }))
    const direct = { from: 'direct', name: 'Base', router: '0x2626664c2603336e57b271c5c0b26f421741e481' }
    await change('')
    expect(await made.api(8453)).toEqual(direct)
    expect(await made.api(8453, 'service')).toEqual(direct)
    expect(await made.api(8453)).toBe(await made.api(8453))
    await change('https://service.example')
    expect(await made.api(8453)).toEqual({ from: 'service' })
    expect(await made.api(8453, 'direct')).toEqual(direct)
  })

  it('rejects an unknown network', async () => {
    await expect(networks.network(5)).rejects.toMatchObject({
      code: 'invalid-input',
      facts: { chainId: '5' },
    })
  })

  it('caches the client of a network until the settings change', async () => {
    const own = createSettings(memoryArea())
    const made = createNetworks(own, {
      createChain: (network) => ({ ...network }) as never,
      createApi: (network) => network as never,
    })
    const chain = await made.chain(31337)
    expect(await made.chain(31337)).toBe(chain)
    await own.update((before) => ({ ...before, autoLockMinutes: 5 }))
    expect(await made.chain(31337)).not.toBe(chain)
  })
})

describe('health', () => {
  let first: MoodyNode
  let spare: MoodyNode
  beforeAll(async () => {
    const answers = {
      eth_chainId: '0x7a69',
      eth_getBlockByNumber: { number: '0x5', timestamp: '0x10' },
      eth_blockNumber: '0x5',
    }
    ;[first, spare] = await Promise.all([startMoodyNode(answers), startMoodyNode(answers)])
  })
  afterAll(() => Promise.all([first, spare].map((node) => node.stop())))

  async function health(network: Partial<Network>, spender: SwapApi['spender']) {
    const settings = createSettings(memoryArea())
    const [local] = defaultSettings().networks
    const named = { ...local!, rpcUrl: first.url, spareRpcUrl: spare.url, ...network }
    await settings.update((before) => ({ ...before, networks: [named] }))
    return createNetworks(settings, {
      createChain: (one) => createChain(one, { sleep: async () => undefined }),
      createApi: () => ({ spender }) as SwapApi,
    }).health(31337)
  }

  const block = { number: 5n, timestamp: 16 }
  const router = `0x${'1'.repeat(40)}` as const

  it('reports the state of each RPC and of the swap service', async () => {
    expect(await health({}, async () => router)).toEqual({
      nodes: [
        { isInUse: true, ...block },
        { isInUse: false, ...block },
      ],
      service: 'answers',
    })
    first.mood = hangUp
    const down = () => Promise.reject(new WalletError('service-timeout', 'Nobody there.'))
    expect(await health({}, down)).toMatchObject({
      nodes: [{ fault: 'node-unreachable' }, block],
      service: 'service-timeout',
    })
  })

  it('contacts neither RPC nor service when the network has no addresses', async () => {
    for (const node of [first, spare]) node.methods.length = 0
    const never = () => expect.unreachable('asked')
    expect(await health({ rpcUrl: '', spareRpcUrl: '', serviceUrl: '' }, never)).toEqual({
      nodes: [],
      service: undefined,
    })
    expect([...first.methods, ...spare.methods]).toEqual([])
  })
})
