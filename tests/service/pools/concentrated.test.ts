import fc from 'fast-check'
import {
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deployer, send } from '../../../dev/chain/client.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../service/config.ts'
import { type Chain, createChain } from '../../../service/indexer/chain.ts'
import { createPoolState } from '../../../service/indexer/poolState.ts'
import { readUpdate } from '../../../service/indexer/readUpdate.ts'
import { type Concentrated, concentrated, type FeeTier } from '../../../service/pools/concentrated.ts'
import { highestSqrtPrice, lowestSqrtPrice, sqrtPriceAtTick } from '../../../service/pools/math/sqrtPrice.ts'
import type { Pool } from '../../../service/pools/pool.ts'
import type { PoolInfo } from '../../../service/pools/poolType.ts'
import { toPool } from '../../../service/pools/registry.ts'
import { encodeSwap } from '../../../service/swap/calldata.ts'

const positionsAbi = parseAbi([
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96)',
  'struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(MintParams params)',
])
const quoterAbi = parseAbi([
  'struct Params { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'function quoteExactInputSingle(Params params) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)',
])

let localnet: Localnet
let chain: Chain
const ledger = createPoolState()

type Entry = { listing: PoolInfo<FeeTier>; state: Concentrated; pool: Pool }

beforeAll(async () => {
  localnet = await createLocalnet()
  chain = createChain(localnet.rpcUrl, localnet.config.multicall)
  for (const pool of fc.sample(strangePools, { numRuns: 4, seed: 3 })) await open(pool)
  await follow()
})
afterAll(() => localnet.stop())

describe('concentrated pools', () => {
  it('quotes exactly the amounts of the quoter, from one wei to beyond the liquidity', async () => {
    await compare(12, 1)
  })

  it('quotes exactly the amounts of the quoter after swaps have moved prices and liquidity', async () => {
    await swapAround(localnet)
    await follow()
    await compare(12, 2)
  })

  it('recognises the Swap event of PancakeSwap', async () => {
    const before = await localnet.client.getBlockNumber()
    const { contractAddress } = await send(localnet.client, { data: sayer(pancakeSwap) })
    const logs = await chain.logs(concentrated.changes, before + 1n, before + 1n)
    expect(logs.map((log) => concentrated.poolOf(log))).toEqual([contractAddress!.toLowerCase()])
    expect(logs[0]!.args).toMatchObject({ tick: -70_123, liquidity: 4n, protocolFeesToken1: 6n })
  })

  it('draws a curve close to its exact quotes', () => {
    const amounts = fc.sample(amount, { numRuns: 40, seed: 4 })
    for (const { listing, pool } of concentratedEntries()) {
      for (const [sell, buy] of directions(listing)) {
        for (const sold of amounts) {
          const exact = Number(pool.quote(sell, buy, sold))
          // Rounding dominates small amounts.
          const curve = pool.curve(sell, buy)
          if (exact < 1e6 || sold < 1_000_000n || Number(sold) > curve.capacity) continue
          expect(curve.bought(Number(sold)) / exact).toBeCloseTo(1, 3)
        }
      }
    }
  })
})

/** pancake-v3-contracts: IPancakeV3PoolEvents.sol. */
const pancakeSwap = {
  topics: encodeEventTopics({
    abi: parseAbi([
      'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint128 protocolFeesToken0, uint128 protocolFeesToken1)',
    ]),
    args: { sender: deployer, recipient: deployer },
  }),
  data: encodeAbiParameters(parseAbiParameters('int256, int256, uint160, uint128, int24, uint128, uint128'), [
    1n,
    -2n,
    3n,
    4n,
    -70_123,
    5n,
    6n,
  ]),
}

/** Emits one event and deploys no code. */
function sayer({ topics, data }: typeof pancakeSwap): Hex {
  const size = (data.length - 2) / 2
  // CODECOPY data, push topics in reverse, LOG3, STOP.
  const head = 8 + 3 * 33 + 7
  const push = (value: number) => `60${value.toString(16).padStart(2, '0')}`
  const copy = `61${size.toString(16).padStart(4, '0')}${push(head)}${push(0)}39`
  const pushed = [...topics].reverse().map((topic) => `7f${String(topic).slice(2)}`)
  return `0x${copy}${pushed.join('')}61${size.toString(16).padStart(4, '0')}${push(0)}a300${data.slice(2)}`
}

const amount = fc
  .integer({ min: 1, max: 100 })
  .chain((bit) => fc.bigInt({ min: 2n ** BigInt(bit - 1), max: 2n ** BigInt(bit) - 1n }))

async function compare(amountsPerDirection: number, seed: number): Promise<void> {
  const cases = concentratedEntries().flatMap(({ listing, pool }, i) =>
    directions(listing).flatMap(([sell, buy], j) =>
      fc
        .sample(amount, { numRuns: amountsPerDirection, seed: seed * 1000 + i * 2 + j })
        .map((sold) => ({ listing, sell, buy, sold, quoted: pool.quote(sell, buy, sold) })),
    ),
  )
  const answers = await Promise.all(cases.map(ask))
  let filled = 0
  cases.forEach(({ listing, sell, sold, quoted }, i) => {
    const [bought, priceAfter] = answers[i]!
    // At the price limit the quoter fills partially.
    const isFilled = priceAfter !== lowestSqrtPrice && priceAfter !== highestSqrtPrice
    expect(quoted, `${sold} of ${sell} in ${listing.address} at ${listing.fixed.feePpm}`).toBe(
      isFilled ? bought : 0n,
    )
    if (isFilled && bought > 0n) filled++
  })
  expect(filled).toBeGreaterThan(cases.length / 2)
}

type Case = { listing: Entry['listing']; sell: Address; buy: Address; sold: bigint }

/** The quoter crosses thousands of empty bitmap words, which takes gas. */
async function ask({ listing, sell, buy, sold }: Case) {
  const { result } = await localnet.client.simulateContract({
    address: localnet.contracts.quoter,
    abi: quoterAbi,
    functionName: 'quoteExactInputSingle',
    args: [
      { tokenIn: sell, tokenOut: buy, amountIn: sold, fee: listing.fixed.feePpm, sqrtPriceLimitX96: 0n },
    ],
    gas: 10_000_000_000n,
    gasPrice: 0n,
    blockNumber: ledger.block()!.number,
  })
  return result
}

async function follow(): Promise<void> {
  const update = await readUpdate(localnet.config, chain, ledger)
  if (update) ledger.apply(update)
}

function concentratedEntries(): Entry[] {
  const own = ledger.whole()!.pools.filter(({ listing }) => listing.kind === 'concentrated')
  return own.map((standing) => ({ ...(standing as Omit<Entry, 'pool'>), pool: toPool(standing) }))
}

function directions({ tokens }: Entry['listing']): [Address, Address][] {
  const [one, other] = tokens as [Address, Address]
  return [
    [one, other],
    [other, one],
  ]
}

type StrangePool = { fee: number; tick: number; positions: { from: number; width: number; size: number }[] }

const strangePools: fc.Arbitrary<StrangePool> = fc.record({
  fee: fc.constantFrom(100, 500, 3_000, 10_000),
  tick: fc.integer({ min: -400_000, max: 400_000 }),
  positions: fc.array(
    fc.record({
      from: fc.integer({ min: -3_000, max: 3_000 }),
      width: fc.integer({ min: 1, max: 4_000 }),
      size: fc.integer({ min: 3, max: 26 }),
    }),
    { minLength: 4, maxLength: 9 },
  ),
})

const spacings: Record<number, number> = { 100: 1, 500: 10, 3000: 60, 10000: 200 }

async function open({ fee, tick, positions }: StrangePool): Promise<void> {
  const [token0, token1] = [localnet.tokens.LINK, localnet.tokens.BROOK].sort() as [Address, Address]
  const to = localnet.contracts.positions
  const create = encodeFunctionData({
    abi: positionsAbi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [token0, token1, fee, sqrtPriceAtTick(tick) + 12_345n],
  })
  await send(localnet.client, { to, data: create })
  const spacing = spacings[fee]!
  for (const { from, width, size } of positions) {
    const tickLower = Math.floor((tick + from) / spacing) * spacing
    const tickUpper = tickLower + Math.ceil(width / spacing) * spacing
    const most = 10n ** BigInt(size)
    const position = {
      ...{ token0, token1, fee, tickLower, tickUpper },
      ...{ amount0Desired: most, amount1Desired: most, amount0Min: 0n, amount1Min: 0n },
      ...{ recipient: localnet.accounts[0]!.address, deadline: maxUint256 },
    }
    const data = encodeFunctionData({ abi: positionsAbi, functionName: 'mint', args: [position] })
    // Too small for any liquidity.
    await send(localnet.client, { to, data }).catch(() => undefined)
  }
}

async function swapAround({ client, config }: Localnet): Promise<void> {
  const swaps = fc.sample(fc.tuple(amount, amount), { numRuns: 50, seed: 5 })
  for (const token of Object.values(localnet.tokens)) {
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [config.router, maxUint256],
    })
    await send(client, { to: token, data })
  }
  for (const [i, { listing, pool }] of concentratedEntries().entries()) {
    for (const [j, [sell, buy]] of directions(listing).entries()) {
      const sold = swaps[i]![j]!
      const bought = pool.quote(sell, buy, sold)
      const edges = [{ pool, from: 0, to: 1, weight: 0, sold, bought }]
      const tokens = [sell, buy]
      const route = {
        ...{ tokens, branches: [{ weight: 0, edges }], edges, amount: sold, returns: bought, gas: 0n },
        evidence: {
          candidates: { tokens, arcs: [], spare: [] },
          prices: [],
          bound: () => ({ value: undefined, over: 'market' as const }),
        },
      }
      const call = encodeSwap({
        ...{ config, route, sell, buy, amount: sold, minReturn: 0n, deadline: 2n ** 40n, feePpm: 0 },
        ...{ receiver: localnet.accounts[0]!.address, referrer: undefined, permit: undefined },
      })
      // Not fillable, or not enough balance.
      await send(client, call).catch(() => undefined)
    }
  }
}
