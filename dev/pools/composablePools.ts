import { encodeFunctionData, getContractAddress, parseAbi, zeroAddress } from 'viem'
import type { Address } from '../../service/config.ts'
import type { LocalnetClient } from '../chain/client.ts'
import { deployer } from '../chain/client.ts'
import { composableOwner } from '../chain/composable.ts'
import { predictAddress } from '../chain/deploy.ts'
import { type VaultPlan, vaultSides } from './balancerPools.ts'
import { joinVaultPool } from './seedBalancer.ts'
import { findToken, type TokenSymbol } from './tokens.ts'

/** `rated` is worth `composableRate` of the other token; its rate is cached for an hour. */
export type ComposablePlan = VaultPlan & { kind: 'stable'; rated?: TokenSymbol }

/** Two and three tokens, 6 to 18 decimals, with and without a rate; unbalanced. */
export const composablePools: readonly ComposablePlan[] = [
  {
    ...{ kind: 'stable', tokens: ['WBTC', 'WETH'], parts: [51, 49], usd: 500_000 },
    ...{ fee: 2_000, amplification: 50, rated: 'WBTC' },
  },
  {
    ...{ kind: 'stable', tokens: ['USDC', 'USDT', 'DAI'], parts: [33, 34, 33], usd: 2_000_000 },
    ...{ fee: 200, amplification: 300 },
  },
]

const hour = 3_600n

const factoryAbi = parseAbi([
  'function create(string name, string symbol, address[] tokens, uint256 amplificationParameter, address[] rateProviders, uint256[] tokenRateCacheDurations, bool[] exemptFromYieldProtocolFeeFlags, uint256 swapFeePercentage, address owner)',
])
const rateAbi = parseAbi(['function setRate(uint256)'])

/** Predicts the address; the factory's first nonces are for the code of its pools. */
export function composablePoolAddress(plan: ComposablePlan): Address {
  const from = predictAddress('composableFactory')
  const nonce = BigInt(3 + composablePools.indexOf(plan))
  return getContractAddress({ from, nonce }).toLowerCase() as Address
}

/** "WBTC/WETH composable 50 0.2 %" */
export function composablePoolTitle({ tokens, amplification, fee }: ComposablePlan): string {
  return `${tokens.join('/')} composable ${amplification} ${fee / 10_000} %`
}

/** The deployer holds the shares and gets its nonce back. */
export async function seedComposable(client: LocalnetClient): Promise<void> {
  const nonce = await client.getTransactionCount({ address: deployer })
  const rate = (findToken('WBTC').cents * 10n ** 18n) / findToken('WETH').cents
  await client.execute({
    ...{ account: composableOwner, to: predictAddress('composableRate') },
    data: encodeFunctionData({ abi: rateAbi, functionName: 'setRate', args: [rate] }),
  })
  for (const plan of composablePools) {
    const sides = vaultSides(plan)
    const rated = plan.rated === undefined ? undefined : predictAddress(plan.rated)
    const args = [
      ...([composablePoolTitle(plan), plan.tokens.join('-'), sides.map(({ token }) => token)] as const),
      BigInt(plan.amplification),
      sides.map(({ token }) => (token === rated ? predictAddress('composableRate') : zeroAddress)),
      sides.map(({ token }) => (token === rated ? hour : 0n)),
      ...([sides.map(() => false), BigInt(plan.fee) * 10n ** 12n, composableOwner] as const),
    ] as const
    await client.execute({
      ...{ account: composableOwner, to: predictAddress('composableFactory'), gas: 15_000_000n },
      data: encodeFunctionData({ abi: factoryAbi, functionName: 'create', args }),
    })
    await joinVaultPool(client, composablePoolAddress(plan), sides)
  }
  await client.setNonce({ address: deployer, nonce })
}
