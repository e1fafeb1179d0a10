import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  maxUint256,
  parseAbi,
  parseAbiParameters,
  zeroAddress,
} from 'viem'
import { deployer, type LocalnetClient, send } from '../chain/client.ts'
import { poolManagerOwner, predictAddress } from '../chain/deploy.ts'
import { sqrt, usableTicks } from './openPools.ts'
import { pegged, type Range, type Side, splitValue, volatile } from './pools.ts'
import { findToken, type TokenSymbol } from './tokens.ts'

/** A pool of Uniswap v4; `ETH` is the native token, without wrapping. */
export type ManagerPlan = {
  pair: readonly [TokenSymbol | 'ETH', TokenSymbol]
  /** Millionths. */
  fee: number
  tickSpacing: number
  /** Initial total. */
  usd: number
  /** Premium on the first token's price; below the fee, against arbitrage. */
  skewBps: number
  ranges: readonly Range[]
  /** Millionths that token0 pays in the low 12 bits, token1 above. */
  protocolFee?: number
  hooks?: Address
}

/** Its last bits say that donations call it, and swaps do not; it has no code (v4-core: Hooks). */
const donationHook: Address = '0x0000000000000000000000000000000000000010'

export const managerPools: readonly ManagerPlan[] = [
  { pair: ['ETH', 'USDC'], fee: 500, tickSpacing: 10, usd: 18_000_000, skewBps: 2, ranges: volatile },
  { pair: ['ETH', 'LINK'], fee: 3_000, tickSpacing: 60, usd: 800_000, skewBps: 15, ranges: volatile },
  { pair: ['WETH', 'DAI'], fee: 3_000, tickSpacing: 60, usd: 4_000_000, skewBps: -8, ranges: volatile },
  {
    ...{ pair: ['USDC', 'DAI'], fee: 10, tickSpacing: 1, usd: 6_000_000, skewBps: 0, ranges: pegged },
    protocolFee: (3 << 12) | 2,
  },
  {
    ...{ pair: ['WBTC', 'USDC'], fee: 2_500, tickSpacing: 50, usd: 900_000, skewBps: 12, ranges: volatile },
    hooks: donationHook,
  },
]

const managerAbi = parseAbi([
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'function initialize(PoolKey key, uint160 sqrtPriceX96)',
  'function setProtocolFeeController(address controller)',
  'function setProtocolFee(PoolKey key, uint24 newProtocolFee)',
])
const liquidityAbi = parseAbi([
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'struct Params { int24 tickLower; int24 tickUpper; int256 liquidityDelta; bytes32 salt; }',
  'function modifyLiquidity(PoolKey key, Params params, bytes hookData) payable',
])
const tokenAbi = parseAbi(['function approve(address spender, uint256 value)'])

const noSalt: Hex = `0x${'00'.repeat(32)}`

function managerKey(plan: ManagerPlan) {
  const [one, other] = managerSides(plan)
  const { fee, tickSpacing, hooks = zeroAddress } = plan
  return { currency0: one.token, currency1: other.token, fee, tickSpacing, hooks }
}

/** The first 20 bytes of the pool's id (v4-core: PoolId): it has no address. */
export function managerPoolAddress(plan: ManagerPlan): Address {
  const { currency0, currency1, fee, tickSpacing, hooks } = managerKey(plan)
  const id = keccak256(encodeAbiParameters(keyShape, [currency0, currency1, fee, tickSpacing, hooks]))
  return id.slice(0, 42) as Address
}

const keyShape = parseAbiParameters('address, address, uint24, int24, address')

/** "ETH/USDC v4 0.05 %" */
export function managerPoolTitle({ pair, fee }: ManagerPlan): string {
  return `${pair.join('/')} v4 ${fee / 10_000} %`
}

/** The deployer gets the liquidity, and its nonce back: what it deploys later keeps its addresses. */
export async function seedManager(client: LocalnetClient): Promise<void> {
  const nonce = await client.getTransactionCount({ address: deployer })
  const [owner, manager] = [poolManagerOwner, predictAddress('poolManager')]
  const controller = encodeFunctionData({
    abi: managerAbi,
    functionName: 'setProtocolFeeController',
    args: [owner],
  })
  await client.execute({ account: owner, to: manager, data: controller, gas: 1_000_000n })
  const tokens = new Set(managerPools.flatMap((plan) => managerSides(plan).map(({ token }) => token)))
  tokens.delete(zeroAddress)
  for (const to of tokens) {
    const args = [predictAddress('liquidityRouter'), maxUint256] as const
    await send(client, { to, data: encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args }) })
  }
  for (const plan of managerPools) await open(client, plan)
  await client.setNonce({ address: deployer, nonce })
}

async function open(client: LocalnetClient, plan: ManagerPlan): Promise<void> {
  const [manager, key, sides] = [predictAddress('poolManager'), managerKey(plan), managerSides(plan)]
  const price = sqrt((sides[1].amount << 192n) / sides[0].amount)
  const initialize = { abi: managerAbi, functionName: 'initialize', args: [key, price] } as const
  await send(client, { to: manager, data: encodeFunctionData(initialize) })
  for (const range of plan.ranges) await addLiquidity(client, plan, range)
  if (plan.protocolFee === undefined) return
  const data = encodeFunctionData({
    abi: managerAbi,
    functionName: 'setProtocolFee',
    args: [key, plan.protocolFee],
  })
  await client.execute({ account: poolManagerOwner, to: manager, data, gas: 1_000_000n })
}

/** As much as equal shares of both sides allow (v4-periphery: LiquidityAmounts). */
async function addLiquidity(client: LocalnetClient, plan: ManagerPlan, range: Range): Promise<void> {
  const [amount0, amount1] = managerSides(plan).map(({ amount }) => Number(amount)) as [number, number]
  const tick = Math.log(amount1 / amount0) / Math.log(1.0001)
  const [tickLower, tickUpper] = usableTicks(range, Math.floor(tick), plan.tickSpacing)
  const root = (at: number) => 1.0001 ** (at / 2)
  const of0 = amount0 / (1 / root(tick) - 1 / root(tickUpper))
  const of1 = amount1 / (root(tick) - root(tickLower))
  const liquidityDelta = BigInt(Math.floor(Math.min(of0, of1) / plan.ranges.length))
  const position = { tickLower, tickUpper, liquidityDelta, salt: noSalt }
  const data = encodeFunctionData({
    abi: liquidityAbi,
    functionName: 'modifyLiquidity',
    args: [managerKey(plan), position, '0x'],
  })
  // The rest comes back.
  const value = plan.pair[0] === 'ETH' ? BigInt(Math.ceil(amount0)) : 0n
  await send(client, { to: predictAddress('liquidityRouter'), data, value })
}

/** Sorted by address; zero for the native token. */
function managerSides({ pair: [base, counter], usd, skewBps }: ManagerPlan): [Side, Side] {
  const first =
    base === 'ETH'
      ? { ...findToken('WETH'), address: zeroAddress }
      : { ...findToken(base), address: predictAddress(base) }
  const second = { ...findToken(counter), address: predictAddress(counter) }
  return splitValue(first, second, usd, skewBps)
}
