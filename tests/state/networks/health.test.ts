import { describe, expect, it } from 'vitest'
import { WalletError } from '../../../src/errors.ts'
import type { WalletApi } from '../../../src/protocol.ts'
import { createNetworkHealth } from '../../../src/state/networks/health.ts'
import { local, pending, standInWallet } from '../../helpers/state/fakes.ts'

const spared = { ...local, spareRpcUrl: 'http://127.0.0.1:8546' }
const block = { number: 12n, timestamp: 1_700_000_000 }

function standInClock() {
  let at = 1_000
  return {
    now: () => at,
    pass(ms: number) {
      at += ms
    },
  }
}

function networksOf(methods: Partial<WalletApi>, clock = standInClock()) {
  return createNetworkHealth(standInWallet(methods), clock)
}

describe('network health check', () => {
  it('reports the latency and block of each RPC, and the latency of the service', async () => {
    const clock = standInClock()
    const spare = pending<number>()
    const health = pending<Awaited<ReturnType<WalletApi['health']>>>()
    const networks = networksOf(
      {
        readChainId: (url) => (url === local.rpcUrl ? Promise.resolve(local.chainId) : spare.promise),
        health: () => health.promise,
      },
      clock,
    )
    const looking = networks.look(spared)
    await Promise.resolve()
    await Promise.resolve()
    clock.pass(40)
    spare.resolve(local.chainId)
    await spare.promise
    await Promise.resolve()
    clock.pass(60)
    const nodes = [
      { isInUse: true, ...block },
      { isInUse: false, ...block },
    ]
    health.resolve({ nodes, service: 'answers' })
    expect(await looking).toEqual([
      { part: 'node', isInUse: true, ms: 0, block: { ...block } },
      { part: 'spare', isInUse: false, ms: 40, block: { ...block } },
      { part: 'service', isInUse: true, ms: 100 },
    ])
  })

  it('reports missing RPC features, and all else when they cannot be read', async () => {
    const nodes = [{ isInUse: true, ...block }]
    const health = async () => ({ nodes, service: undefined })
    const answering = { readChainId: async () => local.chainId, health }
    const [node] = await networksOf({ ...answering, missingFeatures: async () => [['Multicall3']] }).look(
      local,
    )
    expect(node).toEqual({ part: 'node', isInUse: true, ms: 0, block, lacks: ['Multicall3'] })
    const lacks = () => Promise.reject(new WalletError('node-timeout', 'No answer.'))
    const [other] = await networksOf({ ...answering, missingFeatures: lacks }).look(local)
    expect(other).toEqual({ part: 'node', isInUse: true, ms: 0, block })
  })

  it('reports no latency for the service when the RPC times out', async () => {
    const networks = networksOf({
      readChainId: () => Promise.reject(new WalletError('node-timeout', 'No answer.')),
      health: async () => ({ nodes: [{ isInUse: true, fault: 'node-timeout' }], service: 'answers' }),
    })
    expect(await networks.look(local)).toEqual([
      { part: 'node', isInUse: true, fault: 'node-timeout' },
      { part: 'service', isInUse: true, ms: undefined },
    ])
  })

  it('reports the chain id of an RPC on the wrong chain, and the error of the service', async () => {
    const networks = networksOf({
      readChainId: async () => 5,
      health: async () => ({
        nodes: [{ isInUse: true, fault: 'wrong-chain' }],
        service: 'service-forbidden',
      }),
    })
    expect(await networks.look(local)).toEqual([
      { part: 'node', isInUse: true, fault: 'wrong-chain', found: '5' },
      { part: 'service', isInUse: true, fault: 'service-forbidden' },
    ])
  })

  it('shares a running check of the same endpoints, and starts another for others', async () => {
    let count = 0
    const networks = networksOf({
      readChainId: async () => local.chainId,
      missingFeatures: async () => [],
      async health() {
        count += 1
        return { nodes: [{ isInUse: true, ...block }], service: undefined }
      },
    })
    const [one, other] = await Promise.all([networks.look(local), networks.look({ ...local })])
    expect(count).toBe(1)
    expect(other).toBe(one)
    await Promise.all([networks.look(local), networks.look({ ...local, serviceKey: 'key' })])
    expect(count).toBe(3)
  })

  it('returns no entries for a network without endpoints', async () => {
    const networks = networksOf({ health: async () => ({ nodes: [], service: undefined }) })
    expect(await networks.look({ ...local, rpcUrl: '', serviceUrl: '' })).toEqual([])
  })
})

it('reports whether the backup RPC is in use, and why', async () => {
  const answers = [
    [{ isInUse: true, ...block }],
    [
      { isInUse: true, ...block },
      { isInUse: false, ...block },
    ],
    [
      { isInUse: false, fault: 'node-unreachable' as const },
      { isInUse: true, ...block },
    ],
    [
      { isInUse: false, ...block },
      { isInUse: true, ...block },
    ],
    [
      { isInUse: false, fault: 'node-unreachable' as const },
      { isInUse: true, fault: 'node-timeout' as const },
    ],
  ]
  const networks = networksOf({ health: async () => ({ nodes: answers.shift() ?? [], service: undefined }) })
  expect(await networks.onSpare(1)).toBeNull()
  expect(await networks.onSpare(1)).toBeNull()
  expect(await networks.onSpare(1)).toEqual({ why: 'node-unreachable' })
  expect(await networks.onSpare(1)).toEqual({ why: undefined })
  expect(await networks.onSpare(1)).toBeNull()
})
