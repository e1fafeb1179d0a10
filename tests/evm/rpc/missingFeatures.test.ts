import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Network } from '../../../src/domain/network/network.ts'
import { createChain } from '../../../src/evm/client.ts'
import { localNetwork } from '../../helpers/node/localNetwork.ts'
import { startPlainNode } from '../../helpers/node/plainNode.ts'
import { notFound, type Question, startProxy } from '../../helpers/node/rpcProxy.ts'

let localnet: Localnet
let network: Network
beforeAll(async () => {
  localnet = await createLocalnet()
  network = localNetwork(localnet)
})
afterAll(() => localnet.stop())

async function lacksBehind(answer: (question: Question) => object | undefined): Promise<string[][]> {
  const proxy = await startProxy(localnet.rpcUrl, answer)
  onTestFinished(() => proxy.stop())
  return createChain({ ...network, rpcUrl: proxy.url }).missingFeatures()
}

describe('missing RPC features', () => {
  it('reports nothing for an RPC with all features', async () => {
    expect(await createChain(network).missingFeatures()).toEqual([[]])
  })

  it.each(['eth_feeHistory', 'eth_maxPriorityFeePerGas', 'eth_getLogs', 'eth_simulateV1'])(
    'reports a missing %s',
    async (lacking) => {
      expect(await lacksBehind(({ method }) => (method === lacking ? notFound : undefined))).toEqual([
        [lacking],
      ])
    },
  )

  it('reports a method with an invalid result as missing', async () => {
    const odd: Record<string, object> = {
      eth_feeHistory: { result: null },
      eth_maxPriorityFeePerGas: { result: '-0x1' },
    }
    expect(await lacksBehind(({ method }) => odd[method])).toEqual([Object.keys(odd)])
  })

  it('reads logs of the newest blocks only', async () => {
    await localnet.client.mine({ blocks: 8 })
    const before = await localnet.client.getBlockNumber()
    const filters: unknown[] = []
    await lacksBehind(({ method, params }) => {
      if (method === 'eth_getLogs') filters.push(params[0])
      return undefined
    })
    expect(filters).toMatchObject([{ toBlock: 'latest' }])
    const [{ fromBlock }] = filters as [{ fromBlock: string }]
    expect(BigInt(fromBlock)).toBeGreaterThanOrEqual(before - 5n)
    expect(BigInt(fromBlock)).toBeLessThanOrEqual((await localnet.client.getBlockNumber()) - 5n)
  })

  it('reports Multicall3 on a plain node, and EIP-1559 on a chain before London', async () => {
    for (const [options, lacks] of [
      [{}, ['Multicall3']],
      [{ hardfork: 'berlin' }, ['EIP-1559', 'Multicall3']],
    ] as const) {
      const plain = await startPlainNode(options)
      onTestFinished(() => plain.stop())
      expect(await createChain(plain.network).missingFeatures()).toEqual([lacks])
    }
  })

  it('reports each of two RPCs, and nothing for an RPC that does not answer', async () => {
    const plain = await startPlainNode()
    onTestFinished(() => plain.stop())
    const both = { ...network, spareRpcUrl: plain.network.rpcUrl }
    expect(await createChain(both).missingFeatures()).toEqual([[], ['Multicall3']])
    const silent = { ...network, rpcUrl: 'http://127.0.0.1:9' }
    expect(await createChain(silent, { sleep: async () => undefined }).missingFeatures()).toEqual([[]])
  })
})
