import {
  encodeAbiParameters,
  encodeFunctionData,
  getCreate2Address,
  keccak256,
  maxUint256,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import type { Address } from '../../service/config.ts'
import { sqrtPriceAtTick } from '../../service/pools/math/sqrtPrice.ts'
import { algebraOwner } from '../chain/algebra.ts'
import { deployer, type LocalnetClient, send } from '../chain/client.ts'
import { predictAddress } from '../chain/deploy.ts'
import { sqrt, usableTicks } from './openPools.ts'
import { type Range, type Side, splitValue } from './pools.ts'
import { findToken, type TokenSymbol } from './tokens.ts'

export type AlgebraPlan = {
  pair: readonly [TokenSymbol, TokenSymbol]
  /** Initial total. */
  usd: number
  /** As in `PoolPlan`. */
  skewBps: number
  /** In millionths. */
  fee: number
  ranges: readonly Range[]
}

const volatile = ['full', { below: 1_800, above: 2_100 }, { below: 720, above: 480 }] as const

/** Without plugins, whose fees would be read at every block. */
export const algebraPools: readonly AlgebraPlan[] = [
  { pair: ['WETH', 'USDC'], usd: 1_500_000, skewBps: 3, fee: 700, ranges: volatile },
  { pair: ['LINK', 'WETH'], usd: 500_000, skewBps: -14, fee: 2_400, ranges: volatile },
  {
    ...{ pair: ['USDC', 'DAI'], usd: 1_500_000, skewBps: 1, fee: 200 },
    ranges: ['full', { below: 60, above: 60 }],
  },
]

/** Of a new factory. */
const tickSpacing = 60

/** keccak256 of the init code of AlgebraPool 1.2.10. */
const poolCodeHash = '0x62441ebe4e4315cf3d49d5957f94d66b253dbabe7006f34ad7f70947e60bf15c'

const factoryAbi = parseAbi(['function createPool(address, address, bytes)'])
const poolAbi = parseAbi(['function initialize(uint160)', 'function setFee(uint16)'])
const tokenAbi = parseAbi(['function approve(address, uint256)'])
const calleeAbi = parseAbi([
  'function mint(address pool, address to, int24 bottom, int24 top, uint128 amount)',
])

/** As AlgebraFactory.computePoolAddress. */
export function algebraPoolAddress(plan: AlgebraPlan): Address {
  const [one, other] = algebraSides(plan)
  const salt = keccak256(
    encodeAbiParameters(parseAbiParameters('address, address'), [one.token, other.token]),
  )
  const from = predictAddress('algebraDeployer')
  return getCreate2Address({ from, salt, bytecodeHash: poolCodeHash }).toLowerCase() as Address
}

/** "WETH/USDC algebra 0.05 %" */
export function algebraPoolTitle({ pair, fee }: AlgebraPlan): string {
  return `${pair.join('/')} algebra ${fee / 10_000} %`
}

export function algebraSides({ pair, usd, skewBps }: AlgebraPlan): [Side, Side] {
  const [base, counter] = pair.map((symbol) => ({ ...findToken(symbol), address: predictAddress(symbol) }))
  return splitValue(base as Priced, counter as Priced, usd, skewBps)
}

type Priced = Parameters<typeof splitValue>[0]

/** The deployer gets the liquidity, and its nonce back: what it deploys later keeps its addresses. */
export async function seedAlgebra(client: LocalnetClient): Promise<void> {
  const nonce = await client.getTransactionCount({ address: deployer })
  const args = [predictAddress('algebraCallee'), maxUint256] as const
  const approve = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args })
  const symbols = new Set(algebraPools.flatMap(({ pair }) => pair))
  for (const symbol of symbols) await send(client, { to: predictAddress(symbol), data: approve })
  for (const plan of algebraPools) await open(client, plan)
  await client.setNonce({ address: deployer, nonce })
}

async function open(client: LocalnetClient, plan: AlgebraPlan): Promise<void> {
  const [one, other] = algebraSides(plan)
  const pool = algebraPoolAddress(plan)
  const create = {
    abi: factoryAbi,
    functionName: 'createPool',
    args: [one.token, other.token, '0x'],
  } as const
  await send(client, { to: predictAddress('algebraFactory'), data: encodeFunctionData(create) })
  const price = sqrt((other.amount << 192n) / one.amount)
  const initialize = { abi: poolAbi, functionName: 'initialize', args: [price] } as const
  await send(client, { to: pool, data: encodeFunctionData(initialize) })
  const fee = encodeFunctionData({ abi: poolAbi, functionName: 'setFee', args: [plan.fee] })
  await client.execute({ account: algebraOwner, to: pool, data: fee, gas: 1_000_000n })
  const tick = Math.floor(Math.log(Number(other.amount) / Number(one.amount)) / Math.log(1.0001))
  const share = BigInt(plan.ranges.length)
  for (const range of plan.ranges) {
    const [bottom, top] = usableTicks(range, tick, tickSpacing)
    const liquidity = liquidityOf(price, [bottom, top], [one.amount / share, other.amount / share])
    const args = [pool, deployer, bottom, top, liquidity] as const
    const mint = encodeFunctionData({ abi: calleeAbi, functionName: 'mint', args })
    await send(client, { to: predictAddress('algebraCallee'), data: mint })
  }
}

/** LiquidityAmounts.sol of v3-periphery, for a price within the range. */
function liquidityOf(price: bigint, [bottom, top]: [number, number], [one, other]: [bigint, bigint]): bigint {
  const [low, high] = [sqrtPriceAtTick(bottom), sqrtPriceAtTick(top)]
  const of0 = (one * ((price * high) >> 96n)) / (high - price)
  const of1 = (other << 96n) / (price - low)
  return of0 < of1 ? of0 : of1
}
