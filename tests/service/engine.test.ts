import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { send } from '../../dev/chain/client.ts'
import { createLocalnet, type Localnet } from '../../dev/localnet.ts'
import { openPort } from '../../dev/port.ts'
import { type BlockRoute, createEngine, type Engine } from '../../service/engine.ts'
import { createNodeFeed, type FeedOptions } from '../../service/indexer/nodeFeed.ts'
import type { RouteRequest } from '../../service/routing/route.ts'
import { encodeSwap } from '../../service/swap/calldata.ts'
import { nativeTokenAddress } from '../../service/tokens/registry.ts'
import { type Coin, tradeOf } from '../helpers/service/requests.ts'

const never: FeedOptions = { pollMs: 3_600_000 }
const coins: readonly Coin[] = ['ETH', 'WETH', 'USDC', 'USDT', 'DAI', 'WBTC', 'LINK', 'BROOK', 'DTT']

let localnet: Localnet
let engines: Engine[] = []

beforeAll(async () => {
  localnet = await createLocalnet()
  const args = [localnet.config.router, maxUint256] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
  await send(localnet.client, { to: localnet.tokens.USDC, data })
})
afterEach(() => {
  for (const engine of engines) engine.stop()
  engines = []
})
afterAll(() => localnet.stop())

async function start(options: FeedOptions = never): Promise<Engine> {
  const engine = await createEngine(
    localnet.config,
    createNodeFeed(localnet.config, localnet.rpcUrl, options),
  )
  engines.push(engine)
  return engine
}

async function swap(engine: Engine, usd = 100_000): Promise<bigint> {
  const request = tradeOf(localnet, 'USDC', 'WETH', usd)
  const route = (await engine.route(request))!
  const call = encodeSwap({
    ...{ config: localnet.config, route, ...request, receiver: localnet.accounts[0]!.address },
    ...{ minReturn: 0n, deadline: 2n ** 40n, feePpm: 0, referrer: undefined, permit: undefined },
  })
  return (await send(localnet.client, call)).blockNumber
}

/** Without times. */
function write(route: BlockRoute | undefined): string {
  const { tokens, amount, returns, gas } = route ?? {}
  const edges = route?.edges.map(({ pool, ...edge }) => ({ pool: pool.address, ...edge }))
  return JSON.stringify({ tokens, edges, amount, returns, gas }, (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  )
}

async function writeAll(engine: Engine, requests: readonly RouteRequest[]): Promise<string[]> {
  const routes: string[] = []
  for (const request of requests) routes.push(write(await engine.route(request)))
  return routes
}

describe('createEngine', () => {
  it('reports the newest block, the gas price, the sources and the tokens with pools', async () => {
    const engine = await start()
    const block = await localnet.client.getBlock()
    const { number, hash, timestamp } = block
    expect(engine.block()).toMatchObject({ number, hash, timestamp, baseFeePerGas: block.baseFeePerGas })
    expect(engine.gasPrice()).toBeGreaterThanOrEqual(2n * block.baseFeePerGas!)
    expect(engine.sources).toEqual([
      { id: 'WETH', title: 'Wrapped native token' },
      { id: 'UNISWAP_V2', title: 'Uniswap V2' },
      { id: 'UNISWAP_V3', title: 'Uniswap V3' },
      { id: 'SUSHI', title: 'SushiSwap' },
      { id: 'BALANCER_V2_WEIGHTED', title: 'Balancer V2 Weighted' },
      { id: 'BALANCER_V2_STABLE', title: 'Balancer V2 Stable' },
      { id: 'AERODROME_V2', title: 'Aerodrome V2' },
      { id: 'CURVE', title: 'Curve' },
      { id: 'CURVE_V1_FACTORY', title: 'Curve V1 Factory' },
      { id: 'CURVE_STABLE_NG', title: 'Curve Stable NG' },
      { id: 'PANCAKESWAP_STABLE', title: 'PancakeSwap Stable' },
      { id: 'UNISWAP_V4', title: 'Uniswap V4' },
      { id: 'ALGEBRA', title: 'Algebra Integral' },
      { id: 'BALANCER_V3_WEIGHTED', title: 'Balancer V3 Weighted' },
      { id: 'BALANCER_V3_STABLE', title: 'Balancer V3 Stable' },
      { id: 'AERODROME_SLIPSTREAM', title: 'Aerodrome Slipstream' },
      { id: 'BALANCER_V2_COMPOSABLE_STABLE', title: 'Balancer V2 Composable Stable' },
      { id: 'SAVINGS_DAI', title: 'Savings Dai' },
      { id: 'LIDO_WSTETH', title: 'Lido wstETH' },
      { id: 'MAKER_PSM', title: 'Maker PSM' },
    ])
    for (const token of [nativeTokenAddress, ...Object.values(localnet.tokens)])
      expect(engine.trades(token)).toBe(true)
    expect(engine.trades(localnet.contracts.v2Router)).toBe(false)
  })

  it('finds a route between every two tokens of the localnet', async () => {
    const engine = await start()
    for (const sell of coins) {
      for (const buy of coins) {
        if (sell !== buy)
          expect(await engine.route(tradeOf(localnet, sell, buy, 100)), `${sell} to ${buy}`).toBeDefined()
      }
    }
  })

  it('splits a large trade, but not a small one that pays for gas', async () => {
    const engine = await start()
    const large = (await engine.route(tradeOf(localnet, 'WETH', 'USDC', 3_000_000)))!
    const direct = (await engine.route(tradeOf(localnet, 'WETH', 'USDC', 3_000_000, { parts: 1 })))!
    expect(direct.edges.length).toBeLessThan(large.edges.length)
    expect(large.returns).toBeGreaterThan((direct.returns * 1_001n) / 1_000n)
    const small = (await engine.route(tradeOf(localnet, 'WETH', 'USDC', 50, { gasPrice: 30n * 10n ** 9n })))!
    expect(small.edges.length).toBe(1)
  })

  it('routes a small trade through the pool with the lower fee when the gas of both pools is similar', async () => {
    const engine = await start()
    const cheap = localnet.pools.find(({ title }) => title === 'WETH/USDC v3 0.05 %')!.address
    for (const [sell, buy] of [
      ['WETH', 'USDC'],
      ['USDC', 'WETH'],
    ] as const) {
      for (const usd of [120, 200, 300]) {
        const limits = { gasPrice: 5n * 10n ** 9n, sources: new Set(['UNISWAP_V2', 'UNISWAP_V3']) }
        const route = (await engine.route(tradeOf(localnet, sell, buy, usd, limits)))!
        expect(route.edges.map(({ pool }) => pool.address)).toEqual([cheap])
      }
    }
  })

  it('returns identical routes on repeated requests and from another engine at the same block', async () => {
    const [one, other] = [await start(), await start()]
    const requests: RouteRequest[] = coins.flatMap((sell) =>
      coins
        .filter((buy) => buy !== sell)
        .map((buy, i) =>
          tradeOf(localnet, sell, buy, 10 ** (i % 7), { gasPrice: BigInt(i % 2) * 10n ** 10n }),
        ),
    )
    const first = await writeAll(one, requests)
    expect(await writeAll(one, requests)).toEqual(first)
    expect(await writeAll(other, requests)).toEqual(first)
  })

  it('reflects a swap in its routes only after a refresh', async () => {
    const engine = await start()
    const request = tradeOf(localnet, 'USDC', 'WETH', 1_000)
    const before = (await engine.route(request))!
    await swap(engine)
    expect((await engine.route(request))!.returns).toBe(before.returns)
    await engine.refresh()
    expect(engine.block()!.number).toBe(await localnet.client.getBlockNumber())
    expect((await engine.route(request))!.returns).toBeLessThan(before.returns)
  })

  it('follows the chain by polling', async () => {
    const engine = await start({ pollMs: 20 })
    const before = (await engine.route(tradeOf(localnet, 'USDC', 'WETH', 1_000)))!
    await swap(engine)
    const number = await localnet.client.getBlockNumber()
    await vi.waitFor(() => expect(engine.block()!.number).toBe(number), 100_000)
    expect((await engine.route(tradeOf(localnet, 'USDC', 'WETH', 1_000)))!.returns).toBeLessThan(
      before.returns,
    )
  })

  it('drops an orphaned block after a reorganisation', async () => {
    const engine = await start()
    const request = tradeOf(localnet, 'USDC', 'WETH', 1_000)
    const before = write(await engine.route(request))
    const swapped = await swap(engine)
    await engine.refresh()
    expect(write(await engine.route(request))).not.toBe(before)
    // Reorganises the swap away.
    await localnet.client.mine({ blocks: 1 })
    await engine.refresh()
    const orphan = engine.block()!
    const depth = Number(orphan.number - swapped) + 1
    await localnet.client.request({ method: 'anvil_reorg', params: [depth, []] } as never)
    await engine.refresh()
    expect(engine.block()!.number).toBe(orphan.number)
    expect(engine.block()!.hash).not.toBe(orphan.hash)
    expect(write(await engine.route(request))).toBe(before)
  })

  it('reaches the newest block with concurrent refreshes while an earlier one is running', async () => {
    const engine = await start()
    const early = engine.refresh()
    await localnet.client.mine({ blocks: 1 })
    await Promise.all([engine.refresh(), engine.refresh(), engine.refresh()])
    expect(engine.block()!.number).toBe(await localnet.client.getBlockNumber())
    await early
  })

  it('waits for an RPC that is not up yet, and keeps its state when the RPC goes down', async () => {
    const port = await openPort()
    const failures: unknown[] = []
    const feed = createNodeFeed(localnet.config, `http://127.0.0.1:${port}`, {
      pollMs: 50,
      onFailure: (error) => failures.push(error),
    })
    const engine = await createEngine(localnet.config, feed)
    engines.push(engine)
    expect(engine.block()).toBeUndefined()
    expect(engine.gasPrice()).toBe(0n)
    expect(await engine.route(tradeOf(localnet, 'USDC', 'WETH', 1_000))).toBeUndefined()
    await expect(engine.refresh()).rejects.toThrow()
    expect(failures.length).toBeGreaterThan(0)

    const late = await createLocalnet({ port })
    await vi.waitFor(() => expect(engine.block()).toBeDefined(), 100_000)
    const block = engine.block()
    const route = write(await engine.route(tradeOf(localnet, 'USDC', 'WETH', 1_000)))
    await late.stop()
    await expect(engine.refresh()).rejects.toThrow()
    expect(engine.block()).toBe(block)
    expect(write(await engine.route(tradeOf(localnet, 'USDC', 'WETH', 1_000)))).toBe(route)
  })
})
