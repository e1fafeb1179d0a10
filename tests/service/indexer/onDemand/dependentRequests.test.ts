import { encodeFunctionData, parseAbi, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readArtifact } from '../../../../contracts/artifact.ts'
import { deployer } from '../../../../dev/chain/client.ts'
import { createLocalnet, type Localnet } from '../../../../dev/localnet.ts'
import type { TokenSymbol } from '../../../../dev/pools/tokens.ts'
import type { Address, ChainConfig, Factory } from '../../../../service/config.ts'
import { createChain } from '../../../../service/indexer/chain.ts'
import { createPoolDiscovery } from '../../../../service/indexer/poolDiscovery.ts'
import type { PoolInfo } from '../../../../service/pools/poolType.ts'
import { poolTypes } from '../../../../service/pools/registry.ts'
import { deployContract } from '../../../helpers/node/deployContract.ts'
import { startFaultyNode } from '../../../helpers/node/faultyNode.ts'
import { startTripCounter } from '../../../helpers/node/tripCounter.ts'
import { listTokens, startListed } from '../../../helpers/service/listedService.ts'
import { slow } from '../../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let announced: PoolInfo[]
beforeAll(async () => {
  localnet = await createLocalnet()
  await localnet.client.setBalance({ address: deployer, value: 10n ** 27n })
  const chain = createChain(localnet.rpcUrl, localnet.config.multicall)
  announced = await createPoolDiscovery(localnet.config, chain)(undefined, (await chain.header()).number)
})
afterAll(() => localnet.stop())

const kinds = (Object.keys(poolTypes) as Factory['kind'][]).filter(
  (kind) => poolTypes[kind].lookup !== undefined,
)

const lookedUp = (pools: readonly PoolInfo[]) =>
  pools.filter(({ kind, fixed }) => {
    const { hooks = zeroAddress } = fixed as { hooks?: Address }
    return kinds.includes(kind) && hooks === zeroAddress
  })

const positionsAbi = parseAbi([
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96)',
])

/** The localnet's config with every token in its list but one. */
function without(token: Address): ChainConfig {
  const symbols = Object.keys(localnet.tokens) as TokenSymbol[]
  return listTokens(
    localnet,
    symbols.filter((symbol) => localnet.tokens[symbol] !== token),
  )
}

/** Has a new service find `token`, which its list lacks, and returns what that took. */
async function find(token: Address, config: ChainConfig, rpcUrl = localnet.rpcUrl) {
  const counter = await startTripCounter(rpcUrl, 20)
  const service = await startListed(config, counter.url, { patienceMs: 120_000 })
  counter.take()
  await service.engine.ensure([token])
  const { trips } = counter.take()
  const found = service.pools.whole()!.pools.filter(({ listing }) => listing.tokens.includes(token))
  await service.stop()
  await counter.stop()
  const byAddress = found.map((pool) => [pool.listing.address, pool] as const)
  return { trips, pools: Object.fromEntries(byAddress.sort(([a], [b]) => (a < b ? -1 : 1))) }
}

describe('dependent requests for an unlisted token', () => {
  it.each(kinds)('are at most three for pools of the kind %s', async (kind) => {
    const pool = lookedUp(announced).find((one) => one.kind === kind)!
    const token = pool.tokens[0]!
    const config = without(token)
    const factories = config.factories.filter((factory) => factory.kind === kind)
    const { trips, pools } = await find(token, { ...config, factories })
    expect(pools[pool.address]?.listing).toEqual(pool)
    expect(trips).toBeLessThanOrEqual(3)
  })

  it('are at most three for a token with pools of every kind together', async () => {
    const { USDC, DAI } = localnet.tokens
    const found = await Promise.all([USDC, DAI].map((token) => find(token, without(token))))
    expect(found.map(({ trips }) => trips)).toEqual([3, 3])
    const all = found.flatMap(({ pools }) => Object.values(pools).map(({ listing }) => listing.kind))
    expect(new Set(all)).toEqual(new Set([...kinds, 'converter']))
  })

  it('are two for pools with every word of a bitmap, one with each base token', async () => {
    const token = await deployContract(localnet, readArtifact('Token'), ['Fine', 'FINE', 18])
    const { connectors } = localnet.config
    for (const other of connectors) {
      const [token0, token1] = [token, other].sort()
      const args = [token0, token1, 100, 2n ** 96n]
      const data = encodeFunctionData({ abi: positionsAbi, args } as never)
      await localnet.client.execute({
        ...{ account: deployer, to: localnet.contracts.positions, data, gas: 10_000_000n },
      })
    }
    const { trips, pools } = await find(token, listTokens(localnet))
    const spacings = Object.values(pools).map(({ listing }) => listing.fixed)
    expect(spacings).toEqual(connectors.map(() => ({ feePpm: 100, tickSpacing: 1 })))
    expect(trips).toBe(2)
  })

  it('are few by Multicall3 where creation code is refused, with the same pools and states', async () => {
    const node = await startFaultyNode(localnet.rpcUrl, ({ method, params }) => {
      const isCode = method === 'eth_call' && (params[0] as { to?: string }).to === undefined
      return isCode ? { code: -32000, message: 'missing field to' } : undefined
    })
    for (const token of [localnet.tokens.USDC, localnet.tokens.DAI]) {
      const { trips, pools } = await find(token, without(token), node.url)
      expect(pools).toEqual((await find(token, without(token))).pools)
      // 23 for USDC if the bitmaps of its pools were read one request after the other.
      expect(trips).toBeLessThanOrEqual(12)
    }
    await node.stop()
  })
})
