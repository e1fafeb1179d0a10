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
import { maxTick, sqrtPriceAtTick, squareRoot } from '../../service/pools/math/sqrtPrice.ts'
import { deployer, type LocalnetClient, send } from '../chain/client.ts'
import { predictAddress } from '../chain/deploy.ts'
import { slipstreamOwner } from '../chain/slipstream.ts'
import { pegged, type Range, type Side, splitValue, volatile } from './pools.ts'
import { findToken, type TokenSymbol } from './tokens.ts'

export type SlipstreamPlan = {
  pair: readonly [TokenSymbol, TokenSymbol]
  tickSpacing: number
  /** Millionths, of the fee module. */
  fee: number
  /** Initial total. */
  usd: number
  /** As in `PoolPlan`. */
  skewBps: number
  ranges: readonly Range[]
  /** Part of the liquidity that earns rewards in a gauge; undefined without one. */
  staked?: number
}

/** Default and own fees, with and without a gauge. */
export const slipstreamPools: readonly SlipstreamPlan[] = [
  {
    ...{ pair: ['WETH', 'USDC'], tickSpacing: 100, fee: 400, usd: 2_500_000, skewBps: 2 },
    ...{ ranges: volatile, staked: 0.6 },
  },
  {
    ...{ pair: ['LINK', 'USDC'], tickSpacing: 200, fee: 3_000, usd: 200_000, skewBps: -15 },
    ...{ ranges: volatile, staked: 0.3 },
  },
  { pair: ['USDC', 'DAI'], tickSpacing: 1, fee: 100, usd: 900_000, skewBps: -1, ranges: pegged },
]

const tokenAbi = parseAbi(['function approve(address spender, uint256 value)'])
const factoryAbi = parseAbi([
  'function createPool(address, address, int24, uint160)',
  'function setSwapFeeModule(address)',
  'function setUnstakedFeeModule(address)',
])
const moduleAbi = parseAbi(['function setCustomFee(address pool, uint24 fee)'])
const deskAbi = parseAbi([
  'function openGauge(address pool)',
  'function mint(address pool, address owner, int24 lower, int24 upper, uint128 amount)',
  'function stake(address pool, int128 delta, int24 lower, int24 upper)',
  'function reward(address pool, uint256 rate, uint256 reserve, uint256 end)',
])

/** Of a new factory; the fee module's own fees go before. */
const defaultFees: Record<number, number> = { 1: 100, 50: 500, 100: 500, 200: 3_000, 2000: 10_000 }

/** As CLFactory.createPool: a minimal proxy (EIP-1167). */
export function slipstreamPoolAddress(plan: SlipstreamPlan): Address {
  const [one, other] = slipstreamSides(plan)
  const key = parseAbiParameters('address, address, int24')
  const code = `0x3d602d80600a3d3981f3363d3d373d3d3d363d73${predictAddress('slipstreamPool').slice(2)}5af43d82803e903d91602b57fd5bf3`
  const address = getCreate2Address({
    from: predictAddress('slipstreamFactory'),
    salt: keccak256(encodeAbiParameters(key, [one.token, other.token, plan.tickSpacing])),
    bytecode: code as `0x${string}`,
  })
  return address.toLowerCase() as Address
}

/** "USDC/DAI slipstream 1 0.01 %" */
export function slipstreamPoolTitle({ pair, tickSpacing, fee }: SlipstreamPlan): string {
  return `${pair.join('/')} slipstream ${tickSpacing} ${fee / 10_000} %`
}

/** The deployer gets its nonce back: what it deploys later keeps its addresses. */
export async function seedSlipstream(client: LocalnetClient): Promise<void> {
  const nonce = await client.getTransactionCount({ address: deployer })
  const factory = predictAddress('slipstreamFactory')
  for (const [functionName, module] of [
    ['setSwapFeeModule', 'slipstreamFees'],
    ['setUnstakedFeeModule', 'slipstreamUnstakedFees'],
  ] as const) {
    const data = encodeFunctionData({ abi: factoryAbi, functionName, args: [predictAddress(module)] })
    await client.execute({ account: slipstreamOwner, to: factory, data, gas: 1_000_000n })
  }
  for (const plan of slipstreamPools) await open(client, plan)
  await client.setNonce({ address: deployer, nonce })
}

async function open(client: LocalnetClient, plan: SlipstreamPlan): Promise<void> {
  const { tickSpacing, fee, ranges, staked } = plan
  const [one, other] = slipstreamSides(plan)
  const pool = slipstreamPoolAddress(plan)
  const tick = Math.floor(Math.log(Number(other.amount) / Number(one.amount)) / Math.log(1.0001))
  const price = squareRoot((other.amount << 192n) / one.amount)
  const args = [one.token, other.token, tickSpacing, price] as const
  const create = encodeFunctionData({ abi: factoryAbi, functionName: 'createPool', args })
  await send(client, { to: predictAddress('slipstreamFactory'), data: create })
  for (const { token } of [one, other]) {
    const args = [predictAddress('slipstreamDesk'), maxUint256] as const
    await send(client, {
      to: token,
      data: encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args }),
    })
  }
  if (fee !== defaultFees[tickSpacing]) {
    const data = encodeFunctionData({ abi: moduleAbi, functionName: 'setCustomFee', args: [pool, fee] })
    const to = predictAddress('slipstreamFees')
    await client.execute({ account: slipstreamOwner, to, data, gas: 1_000_000n })
  }
  const call = (functionName: string, args: readonly unknown[]) =>
    send(client, {
      to: predictAddress('slipstreamDesk'),
      data: encodeFunctionData({ abi: deskAbi, functionName, args } as never),
    })
  if (staked !== undefined) await call('openGauge', [pool])
  for (const range of ranges) {
    const [lower, upper] = toTicks(range, tick, tickSpacing)
    const share = BigInt(ranges.length)
    const liquidity = liquidityOf([one.amount / share, other.amount / share], price, lower, upper)
    await call('mint', [pool, deployer, lower, upper, liquidity])
    if (staked === undefined) continue
    await call('stake', [pool, (liquidity * BigInt(staked * 100)) / 100n, lower, upper])
  }
  // For some years.
  if (staked !== undefined) await call('reward', [pool, 10n ** 9n, 10n ** 18n, 2n ** 40n])
}

function slipstreamSides({ pair: [base, counter], usd, skewBps }: SlipstreamPlan): [Side, Side] {
  const locate = (symbol: TokenSymbol) => ({ ...findToken(symbol), address: predictAddress(symbol) })
  return splitValue(locate(base), locate(counter), usd, skewBps)
}

/** Rounded outward. */
function toTicks(range: Range, tick: number, spacing: number): [number, number] {
  const last = Math.floor(maxTick / spacing) * spacing
  if (range === 'full') return [-last, last]
  const lower = Math.floor((tick - range.below) / spacing) * spacing
  return [lower, Math.ceil((tick + range.above) / spacing) * spacing]
}

/** As LiquidityAmounts.sol of v3-periphery, for a price within the range. */
function liquidityOf(
  [amount0, amount1]: readonly [bigint, bigint],
  price: bigint,
  lower: number,
  upper: number,
): bigint {
  const [low, high] = [sqrtPriceAtTick(lower), sqrtPriceAtTick(upper)]
  const from0 = (amount0 * ((price * high) >> 96n)) / (high - price)
  const from1 = (amount1 << 96n) / (price - low)
  return from0 < from1 ? from0 : from1
}
