import { numberToHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readArtifact } from '../../../contracts/artifact.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { ChainConfig } from '../../../service/config.ts'
import { type BlockRoute, createEngine, type Engine } from '../../../service/engine.ts'
import { createChain } from '../../../service/indexer/chain.ts'
import { readL1ByteFee } from '../../../service/indexer/l1Fee.ts'
import { createNodeFeed } from '../../../service/indexer/nodeFeed.ts'
import { createPoolState } from '../../../service/indexer/poolState.ts'
import { configHash, decodeSnapshot, encodeSnapshot } from '../../../service/indexer/snapshotCodec.ts'
import { gasCosts } from '../../../service/pools/gasCosts.ts'
import type { RouteRequest } from '../../../service/routing/route.ts'
import { tradeOf } from '../../helpers/service/requests.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

const oracle = '0x420000000000000000000000000000000000000f'
const gwei = 10n ** 9n

let localnet: Localnet
let rollup: ChainConfig
let engines: Engine[] = []
let before: `0x${string}`
beforeAll(async () => {
  localnet = await createLocalnet()
  rollup = { ...localnet.config, l1FeeOracle: oracle }
  const { deployedBytecode } = readArtifact('GasPriceOracle')
  await localnet.client.setCode({ address: oracle, bytecode: deployedBytecode })
})
beforeEach(async () => {
  before = await localnet.client.snapshot()
})
afterEach(async () => {
  for (const engine of engines) await engine.stop()
  engines = []
  await localnet.client.revert({ id: before })
})
afterAll(() => localnet.stop())

describe('readL1ByteFee', () => {
  it('reads the slope of the fee at a block, and nothing without an oracle', async () => {
    const chain = createChain(localnet.rpcUrl, localnet.config.multicall)
    const cheap = await chain.header()
    await setFee(7n * gwei)
    const dear = await chain.header()
    expect(await readL1ByteFee(rollup, chain, cheap)).toBe(gwei)
    expect(await readL1ByteFee(rollup, chain, dear)).toBe(7n * gwei)
    expect(await readL1ByteFee(localnet.config, chain, dear)).toBeUndefined()
  })

  it('is 0 where the oracle lacks the function, and rejects when the RPC fails', async () => {
    const chain = createChain(localnet.rpcUrl, localnet.config.multicall)
    const head = await chain.header()
    for (const l1FeeOracle of [localnet.tokens.DAI, '0x000000000000000000000000000000000000beef'] as const)
      expect(await readL1ByteFee({ l1FeeOracle }, chain, head)).toBe(0n)
    const gone = { read: () => Promise.reject(new Error('The RPC is down.')) }
    await expect(readL1ByteFee(rollup, gone, head)).rejects.toThrow('down')
  })
})

describe('routes on a rollup', () => {
  const trades = (gasPrice: bigint): RouteRequest[] =>
    (
      [
        ['WETH', 'USDC', 300_000],
        ['USDC', 'DAI', 500_000],
        ['ETH', 'BROOK', 50_000],
        ['LINK', 'USDT', 2_000],
        ['WBTC', 'DAI', 1_000_000],
      ] as const
    ).map(([sell, buy, usd]) => tradeOf(localnet, sell, buy, usd, { gasPrice }))

  it('are those of another chain to the last byte while the L1 fee is 0', async () => {
    await setFee(0n)
    const [other, own] = [await start(localnet.config), await start(rollup)]
    for (const request of [...trades(0n), ...trades(gwei)])
      expect(write(await own.route(request))).toBe(write(await other.route(request)))
  })

  it('have fewer hops the dearer L1 is, down to one path, and quote the same gas for a hop', async () => {
    const engine = await start(rollup)
    const hops: number[][] = []
    for (const fee of [0n, 20_000n * gwei, 10n ** 18n]) {
      await setFee(fee)
      await engine.refresh()
      const routes = await Promise.all(trades(gwei / 10n).map((request) => engine.route(request)))
      hops.push(routes.map((route) => route?.edges.length ?? 0))
      for (const route of routes) expect(route?.gas).toBe(gasOf(route!))
      // A path has a token more than hops.
      if (fee === 10n ** 18n)
        for (const route of routes) expect(route?.edges.length).toBe(route!.tokens.length - 1)
    }
    const [free, dear, dearest] = hops as [number[], number[], number[]]
    console.log('Hops at L1 fees of 0, 20,000 gwei and 1 ETH per byte:', free, dear, dearest)
    free.forEach((count, i) => {
      expect(dear[i]).toBeLessThanOrEqual(count)
      expect(dearest[i]).toBeLessThanOrEqual(dear[i]!)
    })
    expect(sum(dear)).toBeLessThan(sum(free))
    expect(Math.max(...free)).toBeGreaterThan(3)
  })

  it('ignore the L1 fee at a gas price of 0', async () => {
    await setFee(10n ** 18n)
    const [other, own] = [await start(localnet.config), await start(rollup)]
    for (const request of trades(0n))
      expect(write(await own.route(request))).toBe(write(await other.route(request)))
  })

  it('change with the block, not with the oracle', async () => {
    await setFee(0n)
    const engine = await start(rollup)
    const [request] = trades(gwei / 10n)
    const first = write(await engine.route(request!))
    await setFee(10n ** 18n)
    expect(write(await engine.route(request!))).toBe(first)
    await engine.refresh()
    expect(write(await engine.route(request!))).not.toBe(first)
  })

  it('are the same from a saved snapshot', async () => {
    await setFee(20_000n * gwei)
    const pools = createPoolState()
    const feed = createNodeFeed(rollup, localnet.rpcUrl, { pollMs: 3_600_000 })
    const reading = await createEngine(rollup, { ...feed, start: () => feed.start(pools.adopt) }, { pools })
    engines.push(reading)
    const mark = configHash(rollup)
    const saved = await decodeSnapshot(await encodeSnapshot(pools.stream()!, mark), mark)
    expect(saved.l1ByteFee).toBe(20_000n * gwei)
    const silent = { ...feed, start: (adopt: typeof pools.adopt) => adopt(saved) }
    const restored = await createEngine(rollup, silent as never)
    engines.push(restored)
    for (const request of trades(gwei / 10n))
      expect(write(await restored.route(request))).toBe(write(await reading.route(request)))
  })
})

async function start(config: ChainConfig): Promise<Engine> {
  const engine = await createEngine(config, createNodeFeed(config, localnet.rpcUrl, { pollMs: 3_600_000 }))
  engines.push(engine)
  return engine
}

/** Wei per byte from the next block on. */
async function setFee(fee: bigint): Promise<void> {
  const slot = { index: numberToHex(0, { size: 32 }), value: numberToHex(fee + 1n, { size: 32 }) }
  // The present block keeps its own.
  await localnet.client.mine({ blocks: 1 })
  await localnet.client.setStorageAt({ address: oracle, ...slot })
  await localnet.client.mine({ blocks: 1 })
}

function write(route: BlockRoute | undefined): string {
  const { tokens, amount, returns, gas } = route ?? {}
  const edges = route?.edges.map(({ pool, ...edge }) => ({ pool: pool.address, ...edge }))
  return JSON.stringify({ tokens, edges, amount, returns, gas }, (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  )
}

function gasOf({ edges, tokens }: BlockRoute): bigint {
  return edges.reduce(
    (gas, { pool, from, to, sold }) => gas + pool.gas(tokens[from]!, tokens[to]!, sold),
    gasCosts.base,
  )
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
