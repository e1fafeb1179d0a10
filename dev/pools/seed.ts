import { encodeFunctionData, maxUint256, parseAbi } from 'viem'
import type { Address } from '../../service/config.ts'
import { demoAccounts } from '../chain/accounts.ts'
import { deployer, type LocalnetClient, send } from '../chain/client.ts'
import { predictAddress } from '../chain/deploy.ts'
import { fund } from '../chain/fund.ts'
import { type PoolPlan, poolAddress, poolFactory, pools, type Range, type Side, sides } from './pools.ts'
import { seedVault } from './seedBalancer.ts'
import { findToken, initialSupply, tokens } from './tokens.ts'

const tokenAbi = parseAbi([
  'function mint(address to, uint256 value)',
  'function approve(address spender, uint256 value)',
  'function transfer(address to, uint256 value)',
])
const wethAbi = parseAbi(['function deposit() payable'])
const v2FactoryAbi = parseAbi(['function createPair(address, address)'])
const v2PairAbi = parseAbi(['function mint(address to)'])
const v3FactoryAbi = parseAbi(['function enableFeeAmount(uint24 fee, int24 tickSpacing)'])
const positionsAbi = parseAbi([
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96)',
  'struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(MintParams params)',
])

/** Tick spacing per fee tier; the factory has all but 100. */
const tickSpacings: Record<number, number> = { 100: 1, 500: 10, 3000: 60, 10000: 200 }

/** TickMath.MAX_TICK of v3-core. */
const lastTick = 887_272

export async function seed(client: LocalnetClient): Promise<void> {
  await fillStash(client)
  await enableLowestFee(client)
  for (const pool of pools) {
    if (pool.kind === 'v2') await openV2(client, pool)
    else await openV3(client, pool)
  }
  await seedVault(client)
  for (const { address } of demoAccounts()) await fund(client, address)
}

/** DTT is minted on deployment, WETH by deposit. */
async function fillStash(client: LocalnetClient): Promise<void> {
  const deposit = encodeFunctionData({ abi: wethAbi, functionName: 'deposit' })
  await send(client, { to: predictAddress('WETH'), data: deposit, value: initialSupply(findToken('WETH')) })
  for (const token of tokens) {
    const to = predictAddress(token.symbol)
    if (token.symbol !== 'WETH' && token.symbol !== 'DTT') {
      const args = [deployer, initialSupply(token)] as const
      await send(client, { to, data: encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args }) })
    }
    const args = [predictAddress('positions'), maxUint256] as const
    await send(client, { to, data: encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args }) })
  }
}

async function enableLowestFee(client: LocalnetClient): Promise<void> {
  const data = encodeFunctionData({ abi: v3FactoryAbi, functionName: 'enableFeeAmount', args: [100, 1] })
  await send(client, { to: predictAddress('v3Factory'), data })
}

async function openV2(client: LocalnetClient, pool: PoolPlan): Promise<void> {
  const [one, other] = sides(pool)
  const args = [one.token, other.token] as const
  const create = encodeFunctionData({ abi: v2FactoryAbi, functionName: 'createPair', args })
  await send(client, { to: poolFactory(pool), data: create })
  const pair = poolAddress(pool)
  for (const side of [one, other]) await pay(client, side, pair)
  const mint = encodeFunctionData({ abi: v2PairAbi, functionName: 'mint', args: [deployer] })
  await send(client, { to: pair, data: mint })
}

async function pay(client: LocalnetClient, { token, amount }: Side, to: Address): Promise<void> {
  // Compensates DTT's 1 % burn.
  const sent = token === predictAddress('DTT') ? (amount * 100n) / 99n : amount
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, sent] })
  await send(client, { to: token, data })
}

async function openV3(client: LocalnetClient, pool: PoolPlan & { kind: 'v3' }): Promise<void> {
  const [one, other] = sides(pool)
  const price = sqrt((other.amount << 192n) / one.amount)
  const create = encodeFunctionData({
    abi: positionsAbi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [one.token, other.token, pool.fee, price],
  })
  await send(client, { to: predictAddress('positions'), data: create })

  const tick = Math.floor(Math.log(Number(other.amount) / Number(one.amount)) / Math.log(1.0001))
  const share = BigInt(pool.ranges.length)
  for (const range of pool.ranges) {
    const [tickLower, tickUpper] = ticks(range, tick, tickSpacings[pool.fee] ?? 1)
    const mint = encodeFunctionData({
      abi: positionsAbi,
      functionName: 'mint',
      args: [
        {
          token0: one.token,
          token1: other.token,
          fee: pool.fee,
          tickLower,
          tickUpper,
          amount0Desired: one.amount / share,
          amount1Desired: other.amount / share,
          amount0Min: 0n,
          amount1Min: 0n,
          recipient: deployer,
          deadline: maxUint256,
        },
      ],
    })
    await send(client, { to: predictAddress('positions'), data: mint })
  }
}

/** Rounded outward. */
function ticks(range: Range, tick: number, spacing: number): [number, number] {
  const last = Math.floor(lastTick / spacing) * spacing
  if (range === 'full') return [-last, last]
  const lower = Math.floor((tick - range.below) / spacing) * spacing
  const upper = Math.ceil((tick + range.above) / spacing) * spacing
  return [lower, upper]
}

/** Newton's method, rounded down. */
function sqrt(value: bigint): bigint {
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
