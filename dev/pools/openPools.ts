import { encodeFunctionData, maxUint256, parseAbi } from 'viem'
import type { Address } from '../../service/config.ts'
import { type LocalnetClient, send } from '../chain/client.ts'
import type { Range, Side } from './pools.ts'

const transferAbi = parseAbi(['function transfer(address to, uint256 value)'])
const v2FactoryAbi = parseAbi(['function createPair(address, address)'])
const v2PairAbi = parseAbi(['function mint(address to)'])
const v3FactoryAbi = parseAbi(['function enableFeeAmount(uint24 fee, int24 tickSpacing)'])
const positionsAbi = parseAbi([
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96)',
  'struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(MintParams params)',
])

/** Tick spacing per fee tier; a new factory has all but 100. */
const tickSpacings: Record<number, number> = { 100: 1, 500: 10, 3000: 60, 10000: 200 }

/** TickMath.MAX_TICK of v3-core. */
const lastTick = 887_272

/** The sender must own the factory. */
export async function enableLowestFee(client: LocalnetClient, v3Factory: Address): Promise<void> {
  const data = encodeFunctionData({ abi: v3FactoryAbi, functionName: 'enableFeeAmount', args: [100, 1] })
  await send(client, { to: v3Factory, data })
}

/** Creates a pair and pays the sides into it. Liquidity goes to `owner`. */
export async function openV2Pair(
  client: LocalnetClient,
  { factory, pair, sides, owner }: { factory: Address; pair: Address; sides: [Side, Side]; owner: Address },
): Promise<void> {
  const args = [sides[0].token, sides[1].token] as const
  const create = encodeFunctionData({ abi: v2FactoryAbi, functionName: 'createPair', args })
  await send(client, { to: factory, data: create })
  for (const { token, amount } of sides) {
    const args = [pair, amount] as const
    await send(client, {
      to: token,
      data: encodeFunctionData({ abi: transferAbi, functionName: 'transfer', args }),
    })
  }
  const mint = encodeFunctionData({ abi: v2PairAbi, functionName: 'mint', args: [owner] })
  await send(client, { to: pair, data: mint })
}

export type V3Opening = {
  /** NonfungiblePositionManager, with an allowance of both tokens. */
  positions: Address
  /** Sorted by address. */
  sides: [Side, Side]
  fee: number
  ranges: readonly Range[]
  owner: Address
}

/** Creates a pool at the price of its sides and mints one position per range. */
export async function openV3Pool(client: LocalnetClient, opening: V3Opening): Promise<void> {
  const { positions, fee, ranges, owner } = opening
  const [one, other] = opening.sides
  const price = sqrt((other.amount << 192n) / one.amount)
  const create = encodeFunctionData({
    abi: positionsAbi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [one.token, other.token, fee, price],
  })
  await send(client, { to: positions, data: create })

  const tick = Math.floor(Math.log(Number(other.amount) / Number(one.amount)) / Math.log(1.0001))
  const share = BigInt(ranges.length)
  for (const range of ranges) {
    const [tickLower, tickUpper] = usableTicks(range, tick, tickSpacings[fee] ?? 1)
    const mint = encodeFunctionData({
      abi: positionsAbi,
      functionName: 'mint',
      args: [
        {
          token0: one.token,
          token1: other.token,
          fee,
          tickLower,
          tickUpper,
          amount0Desired: one.amount / share,
          amount1Desired: other.amount / share,
          amount0Min: 0n,
          amount1Min: 0n,
          recipient: owner,
          deadline: maxUint256,
        },
      ],
    })
    await send(client, { to: positions, data: mint })
  }
}

/** Ends of a position around `tick`, rounded outward. */
export function usableTicks(range: Range, tick: number, spacing: number): [number, number] {
  const last = Math.floor(lastTick / spacing) * spacing
  if (range === 'full') return [-last, last]
  const lower = Math.floor((tick - range.below) / spacing) * spacing
  const upper = Math.ceil((tick + range.above) / spacing) * spacing
  return [lower, upper]
}

/** Newton's method, rounded down. */
export function sqrt(value: bigint): bigint {
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
