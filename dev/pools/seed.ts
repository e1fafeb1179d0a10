import { encodeFunctionData, maxUint256, parseAbi } from 'viem'
import { demoAccounts } from '../chain/accounts.ts'
import { deployer, type LocalnetClient, send } from '../chain/client.ts'
import { predictAddress } from '../chain/deploy.ts'
import { fund } from '../chain/fund.ts'
import { seedAlgebra } from './algebraPools.ts'
import { seedComposable } from './composablePools.ts'
import { seedConverters } from './converters.ts'
import { seedManager } from './managerPools.ts'
import { enableLowestFee, openV2Pair, openV3Pool } from './openPools.ts'
import { type PoolPlan, poolAddress, poolFactory, pools, type Side, sides } from './pools.ts'
import { seedVault } from './seedBalancer.ts'
import { seedSlipstream } from './slipstreamPools.ts'
import { seedSolidly } from './solidlyPools.ts'
import { seedStableSwap } from './stableSwapPools.ts'
import { findToken, initialSupply, tokens } from './tokens.ts'
import { seedVaultV3 } from './vaultV3Pools.ts'

const tokenAbi = parseAbi([
  'function mint(address to, uint256 value)',
  'function approve(address spender, uint256 value)',
])
const wethAbi = parseAbi(['function deposit() payable'])

export async function seed(client: LocalnetClient): Promise<void> {
  await fillStash(client)
  await enableLowestFee(client, predictAddress('v3Factory'))
  for (const pool of pools) await openPool(client, pool)
  await seedVault(client)
  await seedSolidly(client)
  await seedVaultV3(client)
  await seedStableSwap(client)
  await seedManager(client)
  await seedAlgebra(client)
  await seedSlipstream(client)
  await seedConverters(client)
  await seedComposable(client)
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

function openPool(client: LocalnetClient, pool: PoolPlan): Promise<void> {
  if (pool.kind === 'v3') {
    const { fee, ranges } = pool
    const positions = predictAddress('positions')
    return openV3Pool(client, { positions, sides: sides(pool), fee, ranges, owner: deployer })
  }
  const [one, other] = sides(pool)
  return openV2Pair(client, {
    factory: poolFactory(pool),
    pair: poolAddress(pool),
    sides: [beforeBurn(one), beforeBurn(other)],
    owner: deployer,
  })
}

/** Compensates DTT's 1 % burn. */
function beforeBurn(side: Side): Side {
  return side.token === predictAddress('DTT') ? { ...side, amount: (side.amount * 100n) / 99n } : side
}
