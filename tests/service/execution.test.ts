import fc from 'fast-check'
import { erc20Abi, maxUint256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deployer } from '../../dev/client.ts'
import { createWorld, type World } from '../../dev/world.ts'
import { encodeSwap } from '../../service/calldata.ts'
import type { Address } from '../../service/config.ts'
import { createEngine, type Engine } from '../../service/engine.ts'
import type { Route, RouteRequest } from '../../service/routing/route.ts'
import { native } from '../../service/tokens.ts'
import { type Coin, tradeOf } from './requests.ts'

const coins: readonly Coin[] = ['ETH', 'WETH', 'USDC', 'USDT', 'DAI', 'WBTC', 'LINK', 'BROOK']

let world: World
let engine: Engine

beforeAll(async () => {
  world = await createWorld()
  engine = await createEngine(world.config, world.rpcUrl, { pollMs: 3_600_000 })
  for (const coin of coins) if (coin !== 'ETH') await approve(world.tokens[coin])
  await world.client.setBalance({ address: deployer, value: 10n ** 27n })
  await world.client.writeContractSync({
    address: world.tokens.WETH,
    abi: [{ type: 'function', name: 'deposit', inputs: [], outputs: [], stateMutability: 'payable' }],
    functionName: 'deposit',
    value: 10n ** 26n,
  })
  await engine.refresh()
})

afterAll(async () => {
  engine.stop()
  await world.stop()
})

describe('executing a route', () => {
  it('brings what it says to the wei, swap after swap, for every pair', async () => {
    const pairs = coins.flatMap((sell) => coins.filter((buy) => buy !== sell).map((buy) => ({ sell, buy })))
    const draws = fc.sample(
      fc.record({
        usd: fc.double({ min: -3, max: 6.5, noNaN: true }).map((exponent) => 10 ** exponent),
        gasPrice: fc.constantFrom(0n, 10n ** 9n, 100n * 10n ** 9n),
        complexityLevel: fc.constantFrom(0, 1, 2, 2, 2),
        feePpm: fc.constantFrom(0, 0, 3_000, 30_000),
      }),
      { numRuns: pairs.length * 6, seed: 1 },
    )
    let executed = 0
    for (const [i, draw] of draws.entries()) {
      const { sell, buy } = pairs[i % pairs.length]!
      const { usd, feePpm, ...limits } = draw
      const whole = tradeOf(world, sell, buy, usd, limits)
      const amount = whole.amount - (whole.amount * BigInt(feePpm)) / 1_000_000n
      const route = engine.route({ ...whole, amount })
      if (!route) continue
      const received = await execute(whole, route, feePpm)
      expect(
        received,
        `${sell} to ${buy}, ${JSON.stringify({ ...draw, gasPrice: `${draw.gasPrice}` })}`,
      ).toBe(route.returns)
      executed++
    }
    expect(executed).toBeGreaterThan(200)
  }, 180_000)
})

/** What a receiver who had nothing has after the swap. The engine then stands on the new block. */
async function execute({ sell, buy, amount }: RouteRequest, route: Route, feePpm: number): Promise<bigint> {
  const receiver: Address = '0x00000000000000000000000000000000000c0ffe'
  const before = await balance(buy, receiver)
  const call = encodeSwap({
    config: world.config,
    route,
    sell,
    buy,
    amount,
    receiver,
    minReturn: route.returns,
    feePpm,
    referrer:
      feePpm > 0 ? ('0x00000000000000000000000000000000000fee5'.padEnd(42, '0') as Address) : undefined,
    permit: undefined,
  })
  await world.client.execute({ ...call, gas: 12_000_000n })
  await engine.refresh()
  return (await balance(buy, receiver)) - before
}

function balance(token: Address, owner: Address): Promise<bigint> {
  if (token === native) return world.client.getBalance({ address: owner })
  return world.client.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [owner],
  })
}

async function approve(token: Address): Promise<void> {
  await world.client.writeContractSync({
    address: token,
    abi: erc20Abi,
    functionName: 'approve',
    args: [world.config.router, maxUint256],
  })
}
