import { type Abi, encodeFunctionData, getContractAddress, parseAbi } from 'viem'
import type { Address } from '../../service/config.ts'
import { deployer, type LocalnetClient, send } from '../chain/client.ts'
import { predictAddress } from '../chain/deploy.ts'
import { curveOwner } from '../chain/stableSwaps.ts'
import { findToken, type TokenSymbol, unitsForUsd } from './tokens.ts'

export type StableSwapPlan = {
  factory: 'curveRegistry' | 'curveFactory' | 'curveFactoryNg' | 'pancakeStableFactory'
  tokens: readonly TokenSymbol[]
  /** Initial balance per token. */
  usd: readonly number[]
  amplification: number
  /** In 10^-10. */
  fee: bigint
}

/** Fixed and dynamic fees, 2 and 3 tokens of 6 and 18 decimals; unbalanced by less than the fee moves. */
export const stableSwapPools: readonly StableSwapPlan[] = [
  {
    ...{ factory: 'curveRegistry', tokens: ['DAI', 'USDC', 'USDT'], usd: [950_000, 1_040_000, 1_000_000] },
    ...{ amplification: 2_000, fee: 1_000_000n },
  },
  {
    ...{ factory: 'curveFactory', tokens: ['DAI', 'USDT'], usd: [480_000, 500_000] },
    ...{ amplification: 200, fee: 4_000_000n },
  },
  {
    ...{ factory: 'curveFactoryNg', tokens: ['USDC', 'DAI'], usd: [605_000, 600_000] },
    ...{ amplification: 200, fee: 1_000_000n },
  },
  {
    ...{ factory: 'pancakeStableFactory', tokens: ['USDC', 'USDT'], usd: [560_000, 600_000] },
    ...{ amplification: 1_000, fee: 2_000_000n },
  },
]

/** Of the NG pool, in 10^-10. */
const offpegMultiplier = 50_000_000_000n

const factoryAbi = parseAbi(['function add_pool(address pool, bytes rateMethod)'])
const curveFactoryAbi = parseAbi(['function deploy_plain_pool(address[4], uint256, uint256)'])
const ngFactoryAbi = parseAbi([
  'function deploy_plain_pool(address[], uint256, uint256, uint256, uint8[], address[])',
])
const pancakeFactoryAbi = parseAbi(['function createSwapPair(address[], uint256, uint256)'])
const tokenAbi = parseAbi(['function approve(address spender, uint256 value)'])
const poolAbi = parseAbi(['function add_liquidity(uint256[] amounts, uint256 least)'])

/** The first contract that the factory creates; the registry's pool is deployed on its own. */
export function stableSwapPoolAddress({ factory }: StableSwapPlan): Address {
  if (factory === 'curveRegistry') return predictAddress('curveThreePool')
  return getContractAddress({ from: predictAddress(factory), nonce: 1n }).toLowerCase() as Address
}

/** "DAI/USDC/USDT curve 0.01 %" */
export function stableSwapPoolTitle({ factory, tokens, fee }: StableSwapPlan): string {
  const name = { curveRegistry: 'curve', curveFactory: 'curve factory', curveFactoryNg: 'curve ng' }
  const kind = factory === 'pancakeStableFactory' ? 'pancake stable' : name[factory]
  return `${tokens.join('/')} ${kind} ${Number(fee) / 1e8} %`
}

/** The deployer gets the liquidity, and its nonce back: what it deploys later keeps its addresses. */
export async function seedStableSwap(client: LocalnetClient): Promise<void> {
  const nonce = await client.getTransactionCount({ address: deployer })
  for (const plan of stableSwapPools) await open(client, plan)
  await client.setNonce({ address: deployer, nonce })
}

async function open(client: LocalnetClient, plan: StableSwapPlan): Promise<void> {
  const { data, to } = creationOf(plan)
  await client.execute({ account: curveOwner, to, data, gas: 10_000_000n })
  const pool = stableSwapPoolAddress(plan)
  const amounts = plan.tokens.map((symbol, i) => unitsForUsd(findToken(symbol), plan.usd[i] as number))
  for (const [i, symbol] of plan.tokens.entries()) {
    await send(client, {
      to: predictAddress(symbol),
      data: encode(tokenAbi, 'approve', [pool, amounts[i]]),
    })
  }
  await send(client, { to: pool, data: encode(poolAbi, 'add_liquidity', [amounts, 0n]) })
}

function creationOf({ factory, tokens, amplification, fee }: StableSwapPlan) {
  const to = predictAddress(factory)
  const coins = tokens.map(predictAddress)
  const none: Address = '0x0000000000000000000000000000000000000000'
  const numbers = [BigInt(amplification), fee]
  const create = (abi: Abi, ...args: unknown[]) => ({ to, data: encode(abi, 'deploy_plain_pool', args) })
  if (factory === 'curveRegistry') {
    return { to, data: encode(factoryAbi, 'add_pool', [predictAddress('curveThreePool'), '0x']) }
  }
  if (factory === 'curveFactory')
    return create(curveFactoryAbi, [...coins, none, none].slice(0, 4), ...numbers)
  if (factory === 'pancakeStableFactory') {
    return { to, data: encode(pancakeFactoryAbi, 'createSwapPair', [coins, ...numbers]) }
  }
  const plain = [coins.map(() => 0), coins.map(() => none)]
  return create(ngFactoryAbi, coins, ...numbers, offpegMultiplier, ...plain)
}

function encode(abi: Abi, functionName: string, args: unknown[]) {
  return encodeFunctionData({ abi, functionName, args })
}
