import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom, type Random } from '../../../bench/random.ts'
import { deployer } from '../../../dev/chain/client.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../service/config.ts'
import { type Chain, createChain } from '../../../service/indexer/chain.ts'
import { algebra } from '../../../service/pools/algebra.ts'
import type { AlgebraState } from '../../../service/pools/algebraState.ts'
import { sqrtPriceAtTick } from '../../../service/pools/math/sqrtPrice.ts'
import type { Pool } from '../../../service/pools/pool.ts'
import {
  type AlgebraPool,
  createAlgebraStage,
  type Position,
  type Sale,
} from '../../helpers/node/algebraStage.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let stage: Awaited<ReturnType<typeof createAlgebraStage>>
let chain: Chain
beforeAll(async () => {
  localnet = await createLocalnet()
  stage = await createAlgebraStage(localnet)
  chain = createChain(localnet.rpcUrl, localnet.config.multicall)
})
afterAll(() => localnet.stop())

async function read({ address, tokens }: AlgebraPool): Promise<{ pool: Pool; state: AlgebraState }> {
  const listing = { kind: 'algebra', source: 'ALGEBRA', address, tokens, fixed: {} } as const
  const { number } = await chain.header()
  const [state] = await algebra.read(chain, number, [{ listing, before: undefined, logs: [] }])
  expect(algebra.isValid(2, listing.fixed, state)).toBe(true)
  return { pool: algebra.pool(listing, state!), state: state! }
}

const quoteOf = (pool: Pool, { sell, amount }: Sale) =>
  pool.quote(pool.tokens[sell]!, pool.tokens[1 - sell]!, amount)

/** Price tick, fee, and whether one position spans all ticks. */
const plans = [
  [0, 500, true],
  [-201_234, 3_000, true],
  [123_457, 1, false],
  [7, 50_000, false],
  [-500_000, 100, true],
] as const

describe('Algebra pools', () => {
  it('quote to the wei what the pool contract pays, for any price, fee, positions and amount', async () => {
    const random = createRandom(7)
    const seen = { paid: 0, refused: 0, crossed: 0, executed: 0 }
    for (const [tick, fee, isWhole] of plans) {
      const staged = await openPool(random, tick, fee, isWhole)
      for (let round = 0; round < 6; round++) {
        const { pool, state } = await read(staged)
        expect(state.fee).toBe(fee)
        const sales = Array.from({ length: 40 }, () => drawSale(random, state))
        const paid = await stage.outputs(staged, sales)
        for (const [i, sale] of sales.entries()) {
          expect(quoteOf(pool, sale), `${tick} ${fee} ${sale.sell} ${sale.amount}`).toBe(paid[i])
          seen[paid[i]! > 0n ? 'paid' : 'refused']++
          seen.crossed += pool.steps!(pool.tokens[sale.sell]!, sale.amount).crossed.length
        }
        // The next round is at another price, some of them on a tick.
        const next = sales.find((_, i) => paid[i]! > 0n)
        if (next === undefined) continue
        await localnet.client.mine({ blocks: 1 })
        expect(await received(staged, next)).toBe(quoteOf(pool, next))
        seen.executed++
      }
    }
    console.log('Algebra quotes:', seen)
    expect(seen.paid).toBeGreaterThan(700)
    expect(seen.refused).toBeGreaterThan(100)
    expect(seen.crossed).toBeGreaterThan(1_000)
    expect(seen.executed).toBeGreaterThan(20)
  })

  it('quote nothing without a price, liquidity, or a fee that the plugin tells', async () => {
    const staged = await stage.createPool()
    const sale = { sell: 0, amount: 10n ** 18n } as const
    expect(quoteOf((await read(staged)).pool, sale)).toBe(0n)
    await stage.initialize(staged, 2n ** 96n)
    const { pool } = await read(staged)
    expect(quoteOf(pool, sale)).toBe(0n)
    expect(pool.curve(...staged.tokens).capacity).toBe(0)
    expect(await stage.outputs(staged, [sale])).toEqual([0n])

    await stage.mint(staged, { bottom: -600, top: 600, liquidity: 10n ** 24n })
    expect(quoteOf((await read(staged)).pool, sale)).toBeGreaterThan(0n)
    // Chooses fees and has no `getCurrentFee` that answers.
    await stage.manage(staged.address, 'setPlugin', localnet.tokens.WETH)
    await stage.manage(staged.address, 'setPluginConfig', 129)
    const { pool: unknown, state } = await read(staged)
    expect(state).toMatchObject({ fee: 1_000_000, config: 129 })
    expect(quoteOf(unknown, sale)).toBe(0n)
    expect(unknown.curve(...staged.tokens).bought(1e18)).toBe(0)
    expect(unknown.spot!(...staged.tokens)).toEqual({ start: 0, depth: 0 })
    expect(algebra.isRestless(state)).toBe(true)
  })

  it('pay as without, whatever part of the fee is the community’s', async () => {
    const staged = await openPool(createRandom(3), 0, 3_000, true)
    await stage.manage(staged.address, 'setCommunityVault', deployer)
    await stage.manage(staged.address, 'setCommunityFee', 150)
    const { pool, state } = await read(staged)
    const random = createRandom(4)
    const sales = Array.from({ length: 40 }, () => drawSale(random, state))
    expect(sales.map((sale) => quoteOf(pool, sale))).toEqual(await stage.outputs(staged, sales))
  })

  it('have the fee of the base plugin, which follows the volatility', async () => {
    const staged = await stage.createPool(true)
    await stage.initialize(staged, sqrtPriceAtTick(5_000))
    for (const width of [300, 3_000, 60_000]) {
      await stage.mint(staged, { bottom: 4_800 - width, top: 4_800 + width, liquidity: 10n ** 24n })
    }
    const random = createRandom(9)
    const fees = new Set<number>()
    let executed = 0
    for (let round = 0; round < 12; round++) {
      await localnet.client.increaseTime({ seconds: 600 + 1_800 * round })
      await localnet.client.mine({ blocks: 1 })
      const { pool, state } = await read(staged)
      fees.add(state.fee)
      expect(algebra.isRestless(state)).toBe(true)
      const sales = Array.from({ length: 20 }, () => drawSale(random, state))
      expect(sales.map((sale) => quoteOf(pool, sale))).toEqual(await stage.outputs(staged, sales))
      // Moves the price by a tenth of a percent and more.
      const sell = round % 3 === 0 ? 0 : 1
      await stage.swap(staged, { sell, amount: 10n ** 21n * BigInt(1 + round) })
      executed++
    }
    console.log('Fees of the plugin:', [...fees])
    expect(fees.size).toBeGreaterThan(3)
    expect(executed).toBe(12)
  })

  it('have their own fee while their plugin may not choose one', async () => {
    const staged = await openPool(createRandom(5), 60, 3_000, true)
    const plugin = await stage.deployPlugin(staged)
    await stage.manage(staged.address, 'setPlugin', plugin)
    await stage.manage(staged.address, 'setPluginConfig', 1)
    const { pool, state } = await read(staged)
    expect(state).toMatchObject({ fee: 3_000, config: 1 })
    expect(algebra.isRestless(state)).toBe(false)
    const random = createRandom(6)
    const sales = Array.from({ length: 20 }, () => drawSale(random, state))
    expect(sales.map((sale) => quoteOf(pool, sale))).toEqual(await stage.outputs(staged, sales))
    await stage.setPluginFees(plugin, 9_000, 0)
    // The pool refuses the plugin's fees, of both kinds.
    expect(await stage.outputs(staged, sales)).toEqual(sales.map(() => 0n))
    await stage.setPluginFees(plugin, 0, 9_000)
    expect(await stage.outputs(staged, sales)).toEqual(sales.map(() => 0n))
  })

  it('draw a curve close to their exact quotes, as their price and depth are', async () => {
    const random = createRandom(12)
    for (const [tick, fee, isWhole] of plans) {
      const { pool, state } = await read(await openPool(random, tick, fee, isWhole))
      for (let i = 0; i < 200; i++) {
        const sale = drawSale(random, state)
        const curve = pool.curve(pool.tokens[sale.sell]!, pool.tokens[1 - sale.sell]!)
        const exact = Number(quoteOf(pool, sale))
        if (exact === 0 || Number(sale.amount) > curve.capacity) continue
        const unit = curve.slope(0) + 2 * pool.steps!(pool.tokens[sale.sell]!, sale.amount).crossed.length
        expect(Math.abs(curve.bought(Number(sale.amount)) - exact)).toBeLessThan(3 + 3 * unit + exact * 1e-9)
      }
    }
  })
})

const recipient: Address = '0x00000000000000000000000000000000007afe2f'

async function received(staged: AlgebraPool, sale: Sale): Promise<bigint> {
  const read = {
    address: staged.tokens[1 - sale.sell]!,
    abi: [
      {
        ...{ type: 'function', name: 'balanceOf', stateMutability: 'view' },
        ...{ inputs: [{ type: 'address' }], outputs: [{ type: 'uint256' }] },
      },
    ],
    functionName: 'balanceOf',
    args: [recipient],
  } as const
  const before = (await localnet.client.readContract(read)) as bigint
  await stage.swap(staged, sale, recipient)
  return ((await localnet.client.readContract(read)) as bigint) - before
}

/** Positions near and far, of equal ends among them, some out of range. */
async function openPool(random: Random, tick: number, fee: number, isWhole: boolean): Promise<AlgebraPool> {
  const staged = await stage.createPool()
  await stage.initialize(staged, sqrtPriceAtTick(tick) + BigInt(Math.floor(random.between(0, 3))))
  await stage.manage(staged.address, 'setFee', fee)
  const positions: Position[] = isWhole
    ? [{ bottom: -887_220, top: 887_220, liquidity: liquidity(random) }]
    : []
  for (let i = 0; i < 14; i++) {
    const middle = tick + Math.floor(random.between(-3_000, 3_000))
    const width = 60 + Math.floor(10 ** random.between(1, 4.3))
    const [bottom, top] = [spaced(middle - width), spaced(middle + width)]
    positions.push({ bottom, top: Math.max(top, bottom + 60), liquidity: liquidity(random) })
  }
  for (const position of positions) await stage.mint(staged, position)
  return staged
}

const spaced = (tick: number) => Math.min(Math.max(Math.floor(tick / 60) * 60, -887_220), 887_220)

const liquidity = (random: Random) => BigInt(Math.floor(10 ** random.between(9, 24)))

/** From a unit to more than pools hold, up to beyond 128 bits. */
function drawSale(random: Random, { sqrtPrice, liquidity }: AlgebraState): Sale {
  const sell = random.chance(0.5) ? 0 : 1
  const root = Number(sqrtPrice) / 2 ** 96
  const reserve = sell === 0 ? Number(liquidity) / root : Number(liquidity) * root
  const size = random.chance(0.1)
    ? 10 ** random.between(0, 40)
    : (reserve + 1) * 10 ** random.between(-9, 1.5)
  return { sell, amount: BigInt(Math.ceil(size)) }
}
