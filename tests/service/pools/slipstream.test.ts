import fc from 'fast-check'
import { erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deployer } from '../../../dev/chain/client.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../service/config.ts'
import { type Chain, createChain } from '../../../service/indexer/chain.ts'
import { createPoolState } from '../../../service/indexer/poolState.ts'
import type { Pool } from '../../../service/pools/pool.ts'
import { toPool } from '../../../service/pools/registry.ts'
import { type SlipstreamState, slipstreamPool } from '../../../service/pools/slipstream.ts'
import { createSlipstreamStage, type Position } from '../../helpers/node/slipstreamStage.ts'
import { followUpdate } from '../../helpers/service/poolStates.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let chain: Chain
let stage: ReturnType<typeof createSlipstreamStage>
const ledger = createPoolState()
const own: Address[] = []

type Plan = {
  tickSpacing: number
  /** Undefined is the default; 420 none. */
  fee: number | undefined
  tick: number
  positions: { from: number; width: number; size: number; staked: number }[]
}

const plans: fc.Arbitrary<Plan> = fc.record({
  tickSpacing: fc.constantFrom(1, 50, 100, 200, 2_000),
  fee: fc.constantFrom(undefined, 420, 1, 77, 400, 30_000),
  tick: fc.integer({ min: -400_000, max: 400_000 }),
  positions: fc.array(
    fc.record({
      from: fc.integer({ min: -3_000, max: 3_000 }),
      width: fc.integer({ min: 1, max: 4_000 }),
      size: fc.integer({ min: 6, max: 27 }),
      staked: fc.constantFrom(0, 0, 37, 100),
    }),
    { minLength: 4, maxLength: 9 },
  ),
})

beforeAll(async () => {
  localnet = await createLocalnet()
  chain = createChain(localnet.rpcUrl, localnet.config.multicall)
  stage = createSlipstreamStage(localnet)
  // A pool of each fee, spacing and share of staked liquidity.
  for (const plan of fc.sample(plans, { numRuns: 12, seed: 7 })) own.push(await open(plan))
  await follow()
})
afterAll(() => localnet.stop())

async function open({ tickSpacing, fee, tick, positions }: Plan): Promise<Address> {
  const round = (at: number) => Math.floor(at / tickSpacing) * tickSpacing
  const planned = positions.map(({ from, width, size, staked }): Position => {
    const [lower, liquidity] = [round(tick + from), 10n ** BigInt(size)]
    const part = (liquidity * BigInt(staked)) / 100n
    const upper = lower + Math.ceil(width / tickSpacing) * tickSpacing
    return { lower, upper, liquidity, ...(part > 0n && { staked: part }) }
  })
  const pool = await stage.createPool(await stage.createTokens(), tickSpacing, tick, planned)
  if (fee !== undefined) await stage.setCustomFee(pool, fee)
  return pool
}

const follow = () => followUpdate(ledger, localnet.config, chain)

function stateOf(address: Address): SlipstreamState {
  return ledger.standing(address)?.state as SlipstreamState
}

function poolOf(address: Address): Pool {
  return toPool(ledger.standing(address)!)
}

const amount = fc
  .integer({ min: 1, max: 100 })
  .chain((bit) => fc.bigInt({ min: 2n ** BigInt(bit - 1), max: 2n ** BigInt(bit) - 1n }))

/** Returns the number of swaps that a pool fills, and of those that it does not. */
async function compare(addresses: readonly Address[], count: number, seed: number) {
  const cases = addresses.flatMap((address, i) =>
    [true, false].flatMap((down, j) =>
      fc
        .sample(amount, { numRuns: count, seed: seed * 1_000 + 2 * i + j })
        .map((sold) => ({ address, down, sold })),
    ),
  )
  const { number } = ledger.block()!
  const answers = await Promise.all(
    cases.map(({ address, down, sold }) => stage.trySelling(address, down, sold, number)),
  )
  const seen = { filled: 0, refused: 0 }
  for (const [i, { address, down, sold }] of cases.entries()) {
    const pool = poolOf(address)
    const [sell, buy] = (down ? pool.tokens : pool.tokens.toReversed()) as [Address, Address]
    const answer = answers[i]
    const isFilled = answer !== undefined && answer.sold === sold
    expect(pool.quote(sell, buy, sold), `${sold} of ${sell} in ${address}`).toBe(
      isFilled ? answer.bought : 0n,
    )
    seen[isFilled && answer.bought > 0n ? 'filled' : 'refused']++
  }
  return seen
}

describe('Slipstream pools', () => {
  it('quote to the wei what the pool contract pays, from one wei to beyond the liquidity', async () => {
    const fees = own.map((address) => stateOf(address).feePpm)
    expect(fees).toContain(0)
    expect(new Set(fees).size).toBeGreaterThan(3)
    const seen = await compare(own, 45, 1)
    expect(seen.filled).toBeGreaterThan(500)
    expect(seen.refused).toBeGreaterThan(20)
  })

  it('quote to the wei what swaps pay that move prices, ticks and staked liquidity', async () => {
    let swaps = 0
    for (const [i, address] of own.entries()) {
      for (const [j, sold] of fc.sample(amount, { numRuns: 8, seed: 40 + i }).entries()) {
        const pool = poolOf(address)
        const down = j % 2 === 0
        const [sell, buy] = (down ? pool.tokens : pool.tokens.toReversed()) as [Address, Address]
        const quoted = pool.quote(sell, buy, sold)
        if (quoted === 0n) continue
        const before = await balanceOf(buy)
        await stage.sell(address, down, sold)
        expect((await balanceOf(buy)) - before).toBe(quoted)
        await follow()
        swaps++
      }
    }
    expect(swaps).toBeGreaterThan(25)
    const seen = await compare(own, 10, 2)
    expect(seen.filled).toBeGreaterThan(100)
  })

  it('draw a curve close to their exact quotes', () => {
    const amounts = fc.sample(amount, { numRuns: 40, seed: 4 })
    let compared = 0
    for (const address of own) {
      const pool = poolOf(address)
      for (const [sell, buy] of [pool.tokens, pool.tokens.toReversed()] as [Address, Address][]) {
        const curve = pool.curve(sell, buy)
        for (const sold of amounts) {
          const exact = Number(pool.quote(sell, buy, sold))
          // Rounding dominates small amounts.
          if (exact < 1e6 || sold < 1_000_000n || Number(sold) > curve.capacity) continue
          expect(curve.bought(Number(sold)) / exact).toBeCloseTo(1, 3)
          compared++
        }
      }
    }
    expect(compared).toBeGreaterThan(100)
  })

  it('sell nothing while a swap may pay another fee than the one that was read', () => {
    const { listing, state } = ledger.standing(own[0]!)!
    const pool = slipstreamPool(listing as never, { ...(state as SlipstreamState), feePpm: 1_000_000 })
    const [sell, buy] = pool.tokens as [Address, Address]
    expect(poolOf(own[0]!).quote(sell, buy, 10n ** 6n)).toBeGreaterThan(0n)
    expect(pool.quote(sell, buy, 10n ** 6n)).toBe(0n)
    expect(pool.curve(sell, buy).bought(1e6)).toBe(0)
    expect(pool.spot!(sell, buy)).toEqual({ start: 0, depth: 0 })
  })
})

describe('Slipstream pools with a fee that follows the price', () => {
  let pool: Address
  beforeAll(async () => {
    pool = await stage.createPool(await stage.createTokens(), 100, 5_000, [
      { lower: -20_000, upper: 30_000, liquidity: 10n ** 20n, staked: 3n * 10n ** 19n },
      { lower: 4_000, upper: 6_000, liquidity: 10n ** 21n },
    ])
    await stage.setSecondsAgo(20)
    await stage.grow(pool, 40)
    await stage.setFeeCap(pool, 40_000)
    await stage.setScalingFactor(pool, 7_000_000n)
    for (const [i, sold] of [10n ** 18n, 10n ** 19n, 10n ** 19n, 4n * 10n ** 19n].entries()) {
      await localnet.client.increaseTime({ seconds: 9 })
      await stage.sell(pool, i !== 2, sold)
    }
    await follow()
  })

  it('have the fee of each block, also of blocks without a transaction', async () => {
    const fees = new Set<number>()
    for (let i = 0; i < 6; i++) {
      const { number } = ledger.block()!
      const { feePpm, isMoving, observations } = stateOf(pool)
      expect({ isMoving, observations }).toEqual({ isMoving: true, observations: 40 })
      expect(feePpm).toBe(await stage.feeOf(pool, number))
      const seen = await compare([pool], 20, 50 + i)
      expect(seen.filled).toBeGreaterThan(10)
      fees.add(feePpm)
      await localnet.client.increaseTime({ seconds: 4 })
      await localnet.client.mine({ blocks: 1 })
      await follow()
    }
    expect(fees.size).toBeGreaterThan(2)
    expect(Math.max(...fees)).toBeGreaterThan(500)
  })

  it('rest again when the scaling factor is taken back', async () => {
    await stage.resetDynamicFee(pool)
    await follow()
    expect(stateOf(pool)).toMatchObject({ isMoving: false, feePpm: 500, observations: 40 })
    expect(ledger.restless().map(({ listing }) => listing.address)).not.toContain(pool)
  })
})

function balanceOf(address: Address): Promise<bigint> {
  return localnet.client.readContract({
    ...{ address, abi: erc20Abi, functionName: 'balanceOf', args: [deployer] },
  })
}
