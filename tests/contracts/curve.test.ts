import { type Abi, type Address, encodeFunctionData, parseEther as ether, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readPackageContract } from '../../dev/chain/packageContracts.ts'
import { curveOwner } from '../../dev/chain/stableSwaps.ts'
import { stableSwapPoolAddress, stableSwapPools } from '../../dev/pools/stableSwapPools.ts'
import { deployContract } from '../helpers/node/deployContract.ts'
import { curve, type Hop, native, unwrap, v3, wrap } from './fuzz/ask.ts'
import { openStage, patience, type Stage } from './stage.ts'

let stage: Stage
let before: `0x${string}`
beforeAll(async () => {
  stage = await openStage()
}, patience)
beforeEach(async () => {
  before = await stage.client.snapshot()
})
afterEach(() => stage.client.revert({ id: before }))
afterAll(() => stage.stop())

const signed = parseAbi(['function get_dy(int128, int128, uint256) view returns (uint256)'])
const unsigned = parseAbi(['function get_dy(uint256, uint256, uint256) view returns (uint256)'])
const poolAbi = parseAbi(['function add_liquidity(uint256[] amounts, uint256 least) payable'])

const forms = { curveRegistry: 0, curveFactory: 0, curveFactoryNg: 2, pancakeStableFactory: 1 }

function hop(pool: Address, form: number, i: number, j: number, from = 0): Hop {
  return { kind: curve, pool, from, to: from + 1, fee: form * 2 ** 16 + i * 2 ** 8 + j }
}

function view(pool: Address, form: number, i: number, j: number, amount: bigint): Promise<bigint> {
  return stage.client.readContract({
    ...{ address: pool, abi: form === 1 ? unsigned : signed, functionName: 'get_dy' },
    args: [BigInt(i), BigInt(j), amount],
  })
}

describe('swap through StableSwap pools', () => {
  it('pays what each form of pool sells, in all directions, and touches nothing else', async () => {
    for (const plan of stableSwapPools) {
      const [pool, form] = [stableSwapPoolAddress(plan), forms[plan.factory]]
      const coins = plan.tokens.map((symbol) => stage.tokens[symbol])
      for (const [i, sell] of coins.entries()) {
        for (const [j, buy] of coins.entries()) {
          if (i === j) continue
          const amount = plan.tokens[i] === 'DAI' ? ether('1234.5') : 1_234_567_891n
          const quoted = await view(pool, form, i, j, amount)
          const ask = { tokens: [sell, buy], hops: [hop(pool, form, i, j)], amount }
          // Views of pools of 2020 round the fee otherwise.
          const { returned } = await stage.simulate(ask)
          expect((returned - quoted) ** 2n).toBeLessThanOrEqual(form === 2 ? 0n : 1n)
          expect(await stage.refusal({ ...ask, least: returned + 1n })).toBeDefined()
          const done = await stage.swap({ ...ask, least: returned })
          expect(done).toMatchObject({ returned, arrived: returned, spent: amount, paid: amount })
        }
      }
    }
  })

  it('sells to them after other pools, and from one to the next', async () => {
    const { WETH, USDC, DAI, USDT } = stage.tokens
    const [three, , ng, pancake] = stableSwapPools.map(stableSwapPoolAddress) as [
      Address,
      Address,
      Address,
      Address,
    ]
    const v3Pool = await stage.pool(WETH, USDC, 500)
    const done = await stage.swap({
      tokens: [native, WETH, USDC, DAI, USDT],
      hops: [
        { kind: wrap, from: 0, to: 1 },
        { kind: v3, from: 1, to: 2, pool: v3Pool },
        { ...hop(ng, 2, 0, 1), from: 2, to: 3, weight: 400_000 },
        { ...hop(pancake, 1, 0, 1), from: 2, to: 4 },
        { ...hop(three, 0, 0, 2), from: 3, to: 4 },
      ],
      amount: ether('1'),
    })
    expect(done.arrived).toBeGreaterThan(2_950n * 10n ** 6n)
    expect(done.returned).toBe(done.arrived)
  })

  it('trades the native token of old pools, sold and bought, without wrapping', async () => {
    const { WETH, USDC } = stage.tokens
    const owner = stage.client.account.address
    const build = readPackageContract('CurvePool')
    const coins = [native, WETH]
    const pool = await deployContract(stage, build, [owner, coins, 100n, 4_000_000n, 100n])
    await stage.write(WETH, 'approve', [pool, ether('20')], owner)
    const data = encodeFunctionData({
      ...{ abi: poolAbi as Abi, functionName: 'add_liquidity', args: [[ether('20'), ether('20')], 0n] },
    })
    await stage.send({ from: owner, to: pool, value: ether('20'), data })
    for (const [tokens, i, j] of [
      [[native, WETH], 0, 1],
      [[WETH, native], 1, 0],
    ] as const) {
      const quoted = await view(pool, 0, i, j, ether('1'))
      const done = await stage.swap({ tokens, hops: [hop(pool, 0, i, j)], amount: ether('1'), least: quoted })
      expect(done).toMatchObject({ returned: quoted, arrived: quoted, paid: ether('1') })
    }
    const v3Pool = await stage.pool(WETH, USDC, 500)
    const through = await stage.swap({
      tokens: [native, WETH, USDC],
      hops: [hop(pool, 0, 0, 1), { kind: v3, from: 1, to: 2, pool: v3Pool }],
      amount: ether('1'),
    })
    expect(through.arrived).toBeGreaterThan(2_950n * 10n ** 6n)
    const back = await stage.swap({
      tokens: [USDC, WETH, native],
      hops: [
        { kind: v3, from: 0, to: 1, pool: v3Pool },
        { kind: unwrap, from: 1, to: 2 },
      ],
      amount: 10n ** 9n,
    })
    expect(back.arrived).toBeGreaterThan(ether('0.32'))
  })

  it('reverts for a form that does not exist, for the same token twice and for a killed pool', async () => {
    const { USDC, USDT } = stage.tokens
    const plan = stableSwapPools.find(({ factory }) => factory === 'pancakeStableFactory')!
    const pool = stableSwapPoolAddress(plan)
    const ask = { tokens: [USDC, USDT], amount: 10n ** 9n }
    expect(await stage.refusal({ ...ask, hops: [hop(pool, 3, 0, 1)] })).toEqual(['UnknownKind', 0n, 6n])
    expect(await stage.refusal({ ...ask, hops: [hop(pool, 1, 0, 0)] })).toBeDefined()
    await stage.send({
      ...{ from: curveOwner, to: pool },
      data: encodeFunctionData({
        abi: readPackageContract('PancakeStablePool').abi,
        functionName: 'kill_me',
      }),
    })
    expect(await stage.refusal({ ...ask, hops: [hop(pool, 1, 0, 1)] })).toBeDefined()
  })
})
