import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { ChainConfig, Factory } from '../../../service/config.ts'
import { createChain } from '../../../service/indexer/chain.ts'
import { isNamed } from '../../../service/indexer/namedPools.ts'
import { createPoolDiscovery } from '../../../service/indexer/poolDiscovery.ts'
import { createPoolState } from '../../../service/indexer/poolState.ts'
import { readUpdate } from '../../../service/indexer/readUpdate.ts'
import type { Log } from '../../../service/log.ts'
import { startFaultyNode } from '../../helpers/node/faultyNode.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let node: Awaited<ReturnType<typeof startFaultyNode>>
type Search = { fromBlock: string; topics: unknown[] }
let searches: Search[]
let patience: number

beforeAll(async () => {
  localnet = await createLocalnet()
  node = await startFaultyNode(localnet.rpcUrl, ({ method, params }) => {
    if (method !== 'eth_getLogs') return undefined
    if (searches.length >= patience) return 503
    searches.push((params as [Search])[0])
    return undefined
  })
})
beforeEach(() => {
  searches = []
  patience = Number.POSITIVE_INFINITY
})
afterAll(async () => {
  await node.stop()
  await localnet.stop()
})

const chainOf = (config: ChainConfig) => createChain(node.url, config.multicall)

it('finds only pools between listed tokens, and filters by token on the RPC where possible', async () => {
  const { USDC, WETH, DAI } = localnet.tokens
  const tokens = localnet.config.tokens.filter(({ address }) => address === DAI)
  const config = { ...localnet.config, pools: 'listed' as const, wrapped: WETH, connectors: [USDC], tokens }
  const head = await localnet.client.getBlockNumber()
  const [all, listed] = await Promise.all([
    createPoolDiscovery(localnet.config, chainOf(localnet.config))(undefined, head),
    createPoolDiscovery(config, chainOf(config))(undefined, head),
  ])
  const wanted = new Set([USDC, WETH, DAI])
  expect(listed).toEqual(all.filter(({ tokens }) => tokens.every((token) => wanted.has(token))))
  expect(listed.length).toBeGreaterThan(3)
  expect(listed.length).toBeLessThan(all.length)
  const narrow = searches.filter(({ topics }) => topics.length > 1)
  const askable = config.factories.filter(({ kind }) => !/weighted|stable|curve|converter/.test(kind))
  expect(narrow).toHaveLength(searchesOf(askable))
})

it('resumes after an RPC failure, and later searches only the unsettled blocks', async () => {
  const [factory] = localnet.config.factories
  const config = { ...localnet.config, factories: [factory!] }
  const told: number[] = []
  const log = { info: ({ block }: { block: number }) => told.push(block) } as unknown as Log
  const options = { log, stretch: 50n, settledDepth: 20n }
  const find = createPoolDiscovery(config, chainOf(config), options)
  const head = await localnet.client.getBlockNumber()
  patience = 2
  await expect(find(undefined, head)).rejects.toThrow()
  expect(told).toEqual([49, 99])

  patience = Number.POSITIVE_INFINITY
  searches = []
  const found = await find(undefined, head)
  expect(Number(searches[0]!.fromBlock)).toBe(100)
  expect(found).toEqual(await createPoolDiscovery(config, chainOf(config))(undefined, head))
  expect(found.length).toBeGreaterThan(1)

  searches = []
  expect(await find(undefined, head)).toEqual(found)
  expect(searches).toHaveLength(1)
  expect(Number(searches[0]!.fromBlock)).toBe(told.at(-1)! + 1)
})

it('reads a small set of pools again instead of hundreds of blocks of logs', async () => {
  const config = { ...localnet.config, pools: 'listed' as const }
  const chain = chainOf(config)
  const ledger = createPoolState()
  ledger.apply((await readUpdate(config, chain, ledger))!)
  const before = ledger.block()!
  await localnet.client.mine({ blocks: 510 })
  searches = []
  const update = await readUpdate(config, chain, ledger)
  expect(update!.after).toBe(before.hash)
  expect(update!.pools).toHaveLength(ledger.whole()!.pools.length)
  expect(searches).toHaveLength(searchesOf(config.factories.filter((factory) => !isNamed(factory))))
})

/** One for each event that announces pools. */
function searchesOf(factories: readonly Factory[]): number {
  return factories.length
}
