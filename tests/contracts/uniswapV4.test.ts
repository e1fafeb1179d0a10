import fc from 'fast-check'
import { type Address, parseEther as ether, type Hex, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sqrtPriceAtTick } from '../../service/pools/math/sqrtPrice.ts'
import { createManagerStage, type Key } from '../helpers/node/managerStage.ts'
import { type Hop, native, unwrap, v2, v4, wrap } from './fuzz/ask.ts'
import { openStage, patience, type Stage } from './stage.ts'

let stage: Stage
let manager: Awaited<ReturnType<typeof createManagerStage>>
let before: Hex
beforeAll(async () => {
  stage = await openStage()
  manager = await createManagerStage(stage)
  const { WETH, USDC, DAI, WBTC } = stage.tokens
  for (const token of [WETH, USDC, DAI, WBTC]) await manager.approveAll(token)
}, patience)
beforeEach(async () => {
  before = await stage.client.snapshot()
})
afterEach(() => stage.client.revert({ id: before }))
afterAll(() => stage.stop())

function keyOf(
  one: Address,
  other: Address,
  fee: number,
  tickSpacing: number,
  hooks: Address = zeroAddress,
): Key {
  const [currency0, currency1] = [one, other]
    .map((token) => (token === native ? zeroAddress : token))
    .sort() as [Address, Address]
  return { currency0, currency1, fee, tickSpacing, hooks }
}

const hop = (from: number, { hooks, fee, tickSpacing }: Key, more: Partial<Hop> = {}): Hop => ({
  ...{ kind: v4, from, to: from + 1, pool: hooks, fee: fee * 2 ** 24 + tickSpacing },
  ...more,
})

/** Returns whether the sale is of currency 0. */
const isDown = (key: Key, sell: Address) => key.currency0 === (sell === native ? zeroAddress : sell)

const nativePool = () => keyOf(native, stage.tokens.USDC, 500, 10)
const stablePool = () => keyOf(stage.tokens.USDC, stage.tokens.DAI, 10, 1)

describe('swap through Uniswap v4 pools', () => {
  it('pays what the pool manager pays, for either token, native ones and amounts of any size', async () => {
    const { WETH, USDC, DAI, WBTC } = stage.tokens
    const hooked = keyOf(WBTC, USDC, 2_500, 50, '0x0000000000000000000000000000000000000010')
    const sales = fc.record({
      way: fc.constantFrom(
        [native, USDC, nativePool(), 18] as const,
        [USDC, native, nativePool(), 6] as const,
        [WETH, DAI, keyOf(WETH, DAI, 3_000, 60), 18] as const,
        [DAI, USDC, stablePool(), 18] as const,
        [USDC, DAI, stablePool(), 6] as const,
        [WBTC, USDC, hooked, 8] as const,
      ),
      digits: fc.bigInt(1n, 10n ** 6n),
      places: fc.integer({ min: 0, max: 11 }),
    })
    let paid = 0
    for (const { way, digits, places } of fc.sample(sales, { numRuns: 120, seed: 4 })) {
      const [sell, buy, key, decimals] = way
      const amount = digits * 10n ** BigInt(Math.max(0, places + decimals - 16))
      const answer = await manager.trySwap(key, isDown(key, sell), amount)
      if (!answer || answer.bought === 0n || answer.sold < amount) continue
      if (amount > (await stage.balance(sell, stage.seller)) / 2n) continue
      const ask = { tokens: [sell, buy], hops: [hop(0, key)], amount }
      expect(await stage.simulate({ ...ask, least: answer.bought })).toEqual({
        returned: answer.bought,
        spent: amount,
      })
      expect(await stage.refusal({ ...ask, least: answer.bought + 1n })).toBeDefined()
      paid++
    }
    expect(paid).toBeGreaterThan(60)
  })

  it('changes only the balances of sender, recipient and manager', async () => {
    const { USDC, DAI } = stage.tokens
    for (const [sell, buy, key, amount] of [
      [native, USDC, nativePool(), ether('1')],
      [USDC, native, nativePool(), 5_000n * 10n ** 6n],
      [DAI, USDC, stablePool(), ether('500')],
    ] as const) {
      const answer = await manager.trySwap(key, isDown(key, sell), amount)
      const done = await stage.swap({ tokens: [sell, buy], hops: [hop(0, key)], amount })
      expect(done).toMatchObject({ returned: answer?.bought, arrived: answer?.bought, spent: amount })
    }
  })

  it('connects by the native token without wrapping, and wraps it where the next pool needs that', async () => {
    const { WETH, USDC, DAI, LINK } = stage.tokens
    const link = keyOf(native, LINK, 3_000, 60)
    const pair = { kind: v2, pool: await stage.pair(WETH, DAI), fee: 3_000 }
    for (const [tokens, hops, amount] of [
      [[USDC, native, LINK], [hop(0, nativePool()), hop(1, link)], 10n ** 9n],
      [
        [USDC, native, WETH, DAI],
        [hop(0, nativePool()), { kind: wrap, from: 1, to: 2 }, { ...pair, from: 2, to: 3 }],
        10n ** 9n,
      ],
      [
        [DAI, WETH, native, USDC],
        [{ ...pair, from: 0, to: 1 }, { kind: unwrap, from: 1, to: 2 }, hop(2, nativePool())],
        ether('1000'),
      ],
      [
        [native, WETH, USDC],
        [
          hop(0, nativePool(), { to: 2, weight: 400_000 }),
          { kind: wrap, from: 0, to: 1 },
          { kind: v2, pool: await stage.pair(WETH, USDC), fee: 3_000, from: 1, to: 2 },
        ],
        ether('2'),
      ],
    ] as const) {
      const ask = { tokens, hops, amount }
      const { returned } = await stage.simulate(ask)
      expect(returned).toBeGreaterThan(0n)
      const done = await stage.swap({ ...ask, least: returned })
      expect(done).toMatchObject({ returned, arrived: returned, spent: amount })
    }
  })

  it('keeps what a pool cannot take at the sender', async () => {
    const { USDC, DAI } = stage.tokens
    const key = keyOf(USDC, DAI, 77, 10_000)
    await manager.initialize(key, sqrtPriceAtTick(key.currency0 === USDC ? 276_324 : -276_324))
    const [tickLower, tickUpper] = key.currency0 === USDC ? [270_000, 280_000] : [-280_000, -270_000]
    const position = { tickLower, tickUpper, liquidityDelta: 10n ** 15n }
    await manager.modify(key, position)
    const amount = 10n ** 11n
    const answer = await manager.trySwap(key, isDown(key, USDC), amount)
    expect(answer!.sold).toBeLessThan(amount)
    const done = await stage.swap({ tokens: [USDC, DAI], hops: [hop(0, key)], amount })
    expect(done).toMatchObject({ returned: answer!.bought, spent: answer!.sold, paid: answer!.sold })
  })

  it('reverts for pools that do not exist, amounts beyond int128 and callers that are not the manager', async () => {
    const { USDC } = stage.tokens
    const ask = { tokens: [native, USDC], hops: [hop(0, nativePool())], amount: ether('1') }
    const missing = [hop(0, { ...nativePool(), fee: 501 })]
    expect(await stage.refusal({ ...ask, hops: missing })).toEqual(['PoolNotInitialized'])
    const huge = { tokens: [USDC, native], hops: [hop(0, nativePool())], amount: 2n ** 127n }
    expect(await stage.refusal(huge)).toEqual(['AmountTooLarge', 2n ** 127n])
  })
})
