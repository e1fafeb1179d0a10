import fc from 'fast-check'
import { type Address, parseEther as ether, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSolidlyStage } from '../helpers/node/solidlyStage.ts'
import { type Hop, native, solidly, v2, v3, wrap } from './fuzz/ask.ts'
import { cues } from './fuzz/puppets.ts'
import { openStage, patience, type Stage } from './stage.ts'

let stage: Stage
let before: Hex
beforeAll(async () => {
  stage = await openStage()
}, patience)
beforeEach(async () => {
  before = await stage.client.snapshot()
})
afterEach(() => stage.client.revert({ id: before }))
afterAll(() => stage.stop())

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const hop = (from: number, pool: Address): Hop => ({ kind: solidly, from, to: from + 1, pool })
const volatile = () => stage.solidlyPool('WETH', 'USDC')
const stable = () => stage.solidlyPool('USDC', 'DAI')

describe('swap through Solidly pools', () => {
  it('pays what a volatile and a stable pool quote, in both directions, for amounts of any size', async () => {
    const { WETH, USDC, DAI } = stage.tokens
    const sales = fc.record({
      way: fc.constantFrom(
        [WETH, USDC, volatile(), 18] as const,
        [USDC, WETH, volatile(), 6] as const,
        [USDC, DAI, stable(), 6] as const,
        [DAI, USDC, stable(), 18] as const,
      ),
      digits: fc.bigInt(1n, 10n ** 6n),
      places: fc.integer({ min: 0, max: 10 }),
    })
    let paid = 0
    for (const { way, digits, places } of fc.sample(sales, { numRuns: 200, seed: 1 })) {
      const [sell, buy, pool, decimals] = way
      const amount = digits * 10n ** BigInt(Math.max(0, places + decimals - 15))
      const quoted = await stage.quoteSolidly(pool, sell, amount)
      if (quoted === 0n || amount > (await stage.balance(sell, stage.seller))) continue
      const ask = { tokens: [sell, buy], hops: [hop(0, pool)], amount }
      expect(await stage.simulate({ ...ask, least: quoted })).toEqual({ returned: quoted, spent: amount })
      expect(await stage.refusal({ ...ask, least: quoted + 1n })).toBeDefined()
      paid++
    }
    expect(paid).toBeGreaterThan(100)
  })

  it('changes only the balances of sender, recipient and pools', async () => {
    const { WETH, USDC, DAI } = stage.tokens
    for (const [sell, buy, pool, amount] of [
      [WETH, USDC, volatile(), ether('1')] as const,
      [DAI, USDC, stable(), ether('500')] as const,
    ]) {
      const quoted = await stage.quoteSolidly(pool, sell, amount)
      const done = await stage.swap({ tokens: [sell, buy], hops: [hop(0, pool)], amount, least: quoted })
      expect(done).toMatchObject({ returned: quoted, arrived: quoted, spent: amount, paid: amount })
    }
  })

  it('lets pools pay each other past the router, before and after it', async () => {
    const { WETH, USDC, DAI } = stage.tokens
    const pair = { kind: v2, pool: await stage.pair(WETH, USDC), fee: 3_000, from: 0, to: 1 }
    const done = await stage.swap({
      tokens: [WETH, USDC, DAI],
      hops: [pair, hop(1, stable())],
      amount: ether('1'),
    })
    const back = await stage.swap({
      tokens: [DAI, USDC, WETH],
      hops: [hop(0, stable()), { ...pair, from: 1, to: 2 }],
      amount: ether('100'),
    })
    for (const { logs } of [done, back]) {
      const ends = logs
        .filter(({ topics }) => topics[0] === transferTopic)
        .flatMap(({ topics }) => topics.slice(1).map((topic) => `0x${topic!.slice(26)}`))
      expect(ends.length).toBeGreaterThan(4)
      expect(ends).not.toContain(stage.router)
    }
  })

  it('sells to it after wrapping, after a v3 pool and beside another pool', async () => {
    const { WETH, USDC, DAI } = stage.tokens
    const v3Pool = await stage.pool(WETH, USDC, 500)
    const wrapping = { kind: wrap, from: 0, to: 1 }
    for (const [tokens, hops] of [
      [
        [native, WETH, USDC],
        [wrapping, hop(1, volatile())],
      ],
      [
        [WETH, USDC, DAI],
        [{ kind: v3, from: 0, to: 1, pool: v3Pool }, hop(1, stable())],
      ],
      [
        [WETH, USDC],
        [
          { ...hop(0, volatile()), weight: 300_000 },
          { kind: v3, from: 0, to: 1, pool: v3Pool },
        ],
      ],
    ] as const) {
      const done = await stage.swap({ tokens, hops, amount: ether('1') })
      expect(done.arrived).toBeGreaterThan(2_900n * 10n ** 6n)
    }
  })

  it('takes the fee that the pool has when it is executed', async () => {
    const { WETH, USDC } = stage.tokens
    const pool = volatile()
    const ask = { tokens: [WETH, USDC], hops: [hop(0, pool)], amount: ether('1') }
    const { returned } = await stage.simulate(ask)
    await createSolidlyStage(stage).setCustomFee(pool, 200n)
    const quoted = await stage.quoteSolidly(pool, WETH, ether('1'))
    expect(quoted).toBeLessThan(returned)
    expect((await stage.simulate(ask)).returned).toBe(quoted)
  })

  it('reverts when the factory is paused, when nothing is sold and when the pool lies about its output', async () => {
    const { WETH, USDC } = stage.tokens
    const ask = { tokens: [WETH, USDC], hops: [hop(0, volatile())], amount: ether('1') }
    expect(
      await stage.refusal({
        ...ask,
        hops: [{ ...hop(0, volatile()), weight: 1 }, hop(0, volatile())],
        amount: 1n,
      }),
    ).toEqual(['NothingToSell', 0n, WETH])
    const puppet = await stage.deploy('Puppet')
    await stage.teachAnswer(puppet, cues.getReserves, words(0n, 0n, 0n))
    await stage.teachAnswer(puppet, cues.getAmountOut, words(10n ** 30n))
    expect(await stage.refusal({ ...ask, hops: [hop(0, puppet)] })).toEqual(['NothingBought', 0n, USDC])
    await createSolidlyStage(stage).setPauseState(true)
    expect(await stage.refusal(ask)).toEqual(['IsPaused'])
  })
})

function words(...values: bigint[]): Hex {
  return `0x${values.map((value) => value.toString(16).padStart(64, '0')).join('')}`
}
