import { zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom, type Random } from '../../../bench/random.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../service/config.ts'
import { type Chain, createChain } from '../../../service/indexer/chain.ts'
import { highestSqrtPrice, lowestSqrtPrice, sqrtPriceAtTick } from '../../../service/pools/math/sqrtPrice.ts'
import type { PoolInfo } from '../../../service/pools/poolType.ts'
import { swapFee, uniswapV4, uniswapV4Pool } from '../../../service/pools/uniswapV4.ts'
import { type ManagedPool, type PoolKey, poolId } from '../../../service/pools/uniswapV4State.ts'
import { nativeTokenAddress } from '../../../service/tokens/registry.ts'
import { createManagerStage, type Key } from '../../helpers/node/managerStage.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let stage: Awaited<ReturnType<typeof createManagerStage>>
let chain: Chain
let tokens: readonly [Address, Address]

beforeAll(async () => {
  localnet = await createLocalnet()
  stage = await createManagerStage(localnet)
  chain = createChain(localnet.rpcUrl, localnet.config.multicall)
  const made = [await stage.createToken(), await stage.createToken()].sort()
  tokens = made as [Address, Address]
})
afterAll(() => localnet.stop())

function keyOf(fee: number, tickSpacing: number, more: Partial<Key> = {}): Key {
  return { currency0: tokens[0], currency1: tokens[1], fee, tickSpacing, hooks: zeroAddress, ...more }
}

function listingOf(key: Key): PoolInfo<PoolKey> {
  const isNative = key.currency0 === zeroAddress
  const { fee, tickSpacing, hooks } = key
  const fixed = { manager: stage.manager, hooks, fee, tickSpacing, isNative }
  const traded = [isNative ? localnet.config.wrapped : key.currency0, key.currency1]
  const id = poolId({ tokens: traded, fixed })
  const address = id.slice(0, 42) as Address
  return { kind: 'uniswap-v4', source: 'UNISWAP_V4', address, tokens: traded, fixed }
}

async function read(listing: PoolInfo<PoolKey>): Promise<ManagedPool> {
  const number = await localnet.client.getBlockNumber()
  const [state] = await uniswapV4.read(chain, number, [{ listing, before: undefined, logs: [] }])
  return state!
}

type Plan = Partial<Key> & { fee: number; tickSpacing: number; tick: number; protocolFee?: number }

/** Fees and protocol fees of all sizes, the least and the greatest spacing, extreme prices, native, hooks. */
const plans: readonly Plan[] = [
  { fee: 3_000, tickSpacing: 60, tick: 0 },
  { fee: 500, tickSpacing: 10, tick: 201_234, protocolFee: 0xfff & 250 },
  { fee: 100, tickSpacing: 1, tick: -3, protocolFee: (1_000 << 12) | 1 },
  { fee: 0, tickSpacing: 200, tick: -310_000 },
  { fee: 0, tickSpacing: 7, tick: 55, protocolFee: (333 << 12) | 777 },
  { fee: 999_999, tickSpacing: 60, tick: 100, protocolFee: (1_000 << 12) | 1_000 },
  { fee: 12_345, tickSpacing: 32_767, tick: 1_000 },
  { fee: 3_000, tickSpacing: 60, tick: 80_000, currency0: zeroAddress, protocolFee: (77 << 12) | 500 },
  // No hook has code here; its address says that only donations call it.
  { fee: 2_500, tickSpacing: 50, tick: -20_000, hooks: '0x0000000000000000000000000000000000000010' },
  { fee: 10_000, tickSpacing: 200, tick: 887_000 },
  { fee: 9_999, tickSpacing: 200, tick: -887_000, protocolFee: 1_000 },
]

async function open(plan: Plan, random: Random): Promise<Key> {
  const { tick, protocolFee, fee, tickSpacing, ...more } = plan
  const key = keyOf(fee, tickSpacing, more)
  await stage.initialize(key, sqrtPriceAtTick(tick) + BigInt(Math.floor(random.between(0, 1_000))))
  const most = Math.floor(887_272 / tickSpacing) * tickSpacing
  const toUsable = (at: number) => Math.max(-most, Math.min(most, Math.floor(at / tickSpacing) * tickSpacing))
  const liquidity = () => BigInt(Math.round(10 ** random.between(4, 21)))
  await stage.modify(key, { tickLower: -most, tickUpper: most, liquidityDelta: liquidity() })
  for (let i = 0; i < 6; i++) {
    const tickLower = toUsable(tick + random.between(-3_000, 2_000))
    const tickUpper = toUsable(tickLower + tickSpacing + random.between(1, 4_000))
    if (tickUpper > tickLower) await stage.modify(key, { tickLower, tickUpper, liquidityDelta: liquidity() })
  }
  if (protocolFee !== undefined) await stage.setProtocolFee(key, protocolFee)
  return key
}

/** From one base unit to beyond int128. */
function drawAmount(random: Random): bigint {
  const bits = Math.floor(random.between(0, random.chance(0.3) ? 129 : 100))
  return (BigInt(Math.floor(random.between(1, 2 ** 40))) << BigInt(bits)) >> 40n || 1n
}

describe('Uniswap v4 pools', () => {
  it('quotes to the wei what the pool manager pays, for any fee, spacing, price and amount', async () => {
    const random = createRandom(4)
    const seen = { paid: 0, partly: 0, refused: 0, nothing: 0 }
    for (const plan of plans) {
      const key = await open(plan, random)
      const listing = listingOf(key)
      for (let round = 0; round < 3; round++) {
        const state = await read(listing)
        expect(uniswapV4.isValid(2, listing.fixed, state)).toBe(true)
        const pool = uniswapV4Pool(listing, state)
        const sales = Array.from({ length: 40 }, () => {
          return { zeroForOne: random.chance(0.5), amount: drawAmount(random) }
        })
        const answers = await Promise.all(
          sales.map(({ zeroForOne, amount }) => stage.trySwap(key, zeroForOne, amount)),
        )
        sales.forEach(({ zeroForOne, amount }, i) => {
          const [sell, buy] = (zeroForOne ? listing.tokens : listing.tokens.toReversed()) as [
            Address,
            Address,
          ]
          const answer = answers[i]
          const isFilled = answer !== undefined && answer.sold === amount
          const title = `${amount} ${zeroForOne} ${JSON.stringify(plan)}`
          expect(pool.quote(sell, buy, amount), title).toBe(isFilled ? answer.bought : 0n)
          if (answer === undefined) seen.refused++
          else if (!isFilled) seen.partly++
          else seen[answer.bought > 0n ? 'paid' : 'nothing']++
        })
        // The next round begins elsewhere.
        for (const { zeroForOne, amount } of sales.slice(0, 3)) {
          // Far prices take more gas than a block has.
          await stage.swap(key, zeroForOne, amount).catch(() => undefined)
        }
      }
    }
    expect(seen.paid).toBeGreaterThan(700)
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(5)
    console.log('Answers of the pool manager:', seen)
  })

  it('fills nothing at the ends of the price range', async () => {
    const key = keyOf(777, 3)
    const listing = listingOf(key)
    for (const [sqrtPrice, zeroForOne] of [
      [lowestSqrtPrice - 1n, true],
      [lowestSqrtPrice, true],
      [highestSqrtPrice, false],
    ] as const) {
      const state = { sqrtPrice, tick: zeroForOne ? -887_272 : 887_271, liquidity: 10n ** 18n, ticks: [] }
      const pool = uniswapV4Pool(listing, { ...state, protocolFee: 0 })
      const [sell, buy] = (zeroForOne ? listing.tokens : listing.tokens.toReversed()) as [Address, Address]
      expect(pool.quote(sell, buy, 1_000_000n)).toBe(0n)
    }
  })

  it('takes the native token by its own name and by the wrapped one’s', async () => {
    const key = keyOf(900, 60, { currency0: zeroAddress })
    await stage.initialize(key, sqrtPriceAtTick(0))
    await stage.modify(key, { tickLower: -600, tickUpper: 600, liquidityDelta: 10n ** 20n })
    const listing = listingOf(key)
    const pool = uniswapV4Pool(listing, await read(listing))
    const { wrapped } = localnet.config
    const [, token1] = tokens
    const answer = await stage.trySwap(key, true, 10n ** 18n)
    expect(pool.isNative).toBe(true)
    for (const sell of [nativeTokenAddress, wrapped]) {
      expect(pool.quote(sell, token1, 10n ** 18n)).toBe(answer?.bought)
      expect(pool.curve(sell, token1).bought(1e18) / Number(answer?.bought)).toBeCloseTo(1, 6)
      expect(pool.gas(sell, token1, 10n ** 18n)).toBe(pool.gas(wrapped, token1, 10n ** 18n))
    }
    const back = await stage.trySwap(key, false, 10n ** 18n)
    expect(pool.quote(token1, nativeTokenAddress, 10n ** 18n)).toBe(back?.bought)
  })

  it('draws a curve close to its exact quotes, with the protocol’s fee of each side', async () => {
    const random = createRandom(9)
    for (const plan of plans.slice(0, 5)) {
      const listing = listingOf(keyOf(plan.fee, plan.tickSpacing, plan.hooks ? { hooks: plan.hooks } : {}))
      const pool = uniswapV4Pool(listing, await read(listing))
      for (const [sell, buy] of [listing.tokens, listing.tokens.toReversed()] as [Address, Address][]) {
        const curve = pool.curve(sell, buy)
        for (let i = 0; i < 40; i++) {
          const amount = drawAmount(random)
          const exact = Number(pool.quote(sell, buy, amount))
          if (exact < 1e8 || amount < 10n ** 8n || Number(amount) > curve.capacity) continue
          expect(curve.bought(Number(amount)) / exact).toBeCloseTo(1, 3)
        }
        const { start } = pool.spot!(sell, buy)
        if (start > 0) expect(start / curve.slope(0)).toBeCloseTo(1, 9)
      }
    }
  })

  it('adds the protocol’s fee as the manager does', () => {
    expect(swapFee(0, 3_000)).toBe(3_000)
    expect(swapFee(1_000, 3_000)).toBe(3_997)
    expect(swapFee(1, 999_999)).toBe(1_000_000)
    expect(swapFee(1_000, 0)).toBe(1_000)
  })
})
