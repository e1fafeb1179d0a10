import { encodeFunctionData, encodePacked, getCreate2Address, keccak256, parseAbi } from 'viem'
import type { Address } from '../../service/config.ts'
import { deployer, type LocalnetClient, send } from '../chain/client.ts'
import { predictAddress, solidlyOwner } from '../chain/deploy.ts'
import type { Side } from './pools.ts'
import { findToken, type TokenSymbol, unitsForUsd } from './tokens.ts'

export type SolidlyPlan = {
  pair: readonly [TokenSymbol, TokenSymbol]
  isStable: boolean
  /** Initial total. */
  usd: number
  /** More of the second token; moves the price by less than the fee, against arbitrage. */
  skewBps: number
  /** In 1/10,000; the factory's default if undefined, 30 or 5 for stable ones. */
  fee?: number
}

/** Both formulas, decimals of 6 and 18, default and own fees; the stable pools are unbalanced. */
export const solidlyPools: readonly SolidlyPlan[] = [
  { pair: ['WETH', 'USDC'], isStable: false, usd: 3_000_000, skewBps: -14 },
  { pair: ['LINK', 'USDC'], isStable: false, usd: 250_000, skewBps: 30, fee: 100 },
  { pair: ['USDC', 'USDT'], isStable: true, usd: 4_000_000, skewBps: 900 },
  { pair: ['USDC', 'DAI'], isStable: true, usd: 2_000_000, skewBps: -700, fee: 2 },
]

const tokenAbi = parseAbi(['function transfer(address to, uint256 value)'])
const factoryAbi = parseAbi([
  'function createPool(address, address, bool)',
  'function setCustomFee(address pool, uint256 fee)',
])
const poolAbi = parseAbi(['function mint(address to)', 'function sync()'])

/** As PoolFactory.createPool: a minimal proxy (EIP-1167). */
export function solidlyPoolAddress(plan: SolidlyPlan): Address {
  const [one, other] = solidlySides(plan)
  const code = `0x3d602d80600a3d3981f3363d3d373d3d3d363d73${predictAddress('solidlyPool').slice(2)}5af43d82803e903d91602b57fd5bf3`
  const address = getCreate2Address({
    from: predictAddress('solidlyFactory'),
    salt: keccak256(encodePacked(['address', 'address', 'bool'], [one.token, other.token, plan.isStable])),
    bytecode: code as `0x${string}`,
  })
  return address.toLowerCase() as Address
}

/** "USDC/DAI solidly stable 0.02 %" */
export function solidlyPoolTitle({ pair, isStable, fee = isStable ? 5 : 30 }: SolidlyPlan): string {
  return `${pair.join('/')} solidly ${isStable ? 'stable' : 'volatile'} ${fee / 100} %`
}

/** The deployer gets the liquidity, and its nonce back: what it deploys later keeps its addresses. */
export async function seedSolidly(client: LocalnetClient): Promise<void> {
  const nonce = await client.getTransactionCount({ address: deployer })
  for (const plan of solidlyPools) await open(client, plan)
  await client.setNonce({ address: deployer, nonce })
}

async function open(client: LocalnetClient, plan: SolidlyPlan): Promise<void> {
  const [factory, pool, sides] = [
    predictAddress('solidlyFactory'),
    solidlyPoolAddress(plan),
    solidlySides(plan),
  ]
  const args = [sides[0].token, sides[1].token, plan.isStable] as const
  await send(client, {
    to: factory,
    data: encodeFunctionData({ abi: factoryAbi, functionName: 'createPool', args }),
  })
  // A stable pool begins balanced: what it holds more of comes after.
  for (const { token, even } of sides) await pay(client, token, pool, even)
  await send(client, {
    to: pool,
    data: encodeFunctionData({ abi: poolAbi, functionName: 'mint', args: [deployer] }),
  })
  for (const { token, even, amount } of sides)
    if (amount > even) await pay(client, token, pool, amount - even)
  await send(client, { to: pool, data: encodeFunctionData({ abi: poolAbi, functionName: 'sync' }) })
  if (plan.fee === undefined) return
  const data = encodeFunctionData({
    abi: factoryAbi,
    functionName: 'setCustomFee',
    args: [pool, BigInt(plan.fee)],
  })
  await client.execute({ account: solidlyOwner, to: factory, data, gas: 1_000_000n })
}

async function pay(client: LocalnetClient, token: Address, to: Address, amount: bigint): Promise<void> {
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, amount] })
  await send(client, { to: token, data })
}

/** Sorted by address; `even` halves the value. */
function solidlySides({ pair, usd, skewBps }: SolidlyPlan): [Even, Even] {
  const [base, counter] = pair.map((symbol) => {
    return { token: predictAddress(symbol), even: unitsForUsd(findToken(symbol), usd / 2) }
  }) as [Omit<Even, 'amount'>, Omit<Even, 'amount'>]
  const premium = (amount: bigint, bps: number) => (amount * BigInt(10_000 + Math.max(bps, 0))) / 10_000n
  const one = { ...base, amount: premium(base.even, -skewBps) }
  const other = { ...counter, amount: premium(counter.even, skewBps) }
  return one.token < other.token ? [one, other] : [other, one]
}

type Even = Side & { even: bigint }
