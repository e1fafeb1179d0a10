import { encodeAbiParameters, encodeFunctionData, maxUint256, parseAbi, parseAbiParameters } from 'viem'
import type { Address } from '../../service/config.ts'
import { deployer, type LocalnetClient, send } from '../chain/client.ts'
import { predictAddress } from '../chain/deploy.ts'
import { type VaultPlan, vaultPoolAddress, vaultPools, vaultPoolTitle, vaultSides } from './balancerPools.ts'
import type { Side } from './pools.ts'

const tokenAbi = parseAbi(['function approve(address spender, uint256 value)'])
const weightedAbi = parseAbi([
  'function create(string name, string symbol, address[] tokens, uint256[] weights, uint256 swapFeePercentage, address owner)',
])
const stableAbi = parseAbi([
  'function create(string name, string symbol, address[] tokens, uint256 amplificationParameter, uint256 swapFeePercentage, address owner)',
])
const poolAbi = parseAbi(['function getPoolId() view returns (bytes32)'])
const vaultAbi = parseAbi([
  'struct JoinPoolRequest { address[] assets; uint256[] maxAmountsIn; bytes userData; bool fromInternalBalance; }',
  'function getPoolTokens(bytes32) view returns (address[], uint256[], uint256)',
  'function joinPool(bytes32 poolId, address sender, address recipient, JoinPoolRequest request)',
])

/** The deployer owns the pools. */
export async function seedVault(client: LocalnetClient): Promise<void> {
  const symbols = new Set(vaultPools.flatMap(({ tokens }) => tokens))
  const args = [predictAddress('vault'), maxUint256] as const
  const approve = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args })
  for (const symbol of symbols) await send(client, { to: predictAddress(symbol), data: approve })
  for (const plan of vaultPools) await open(client, plan)
}

async function open(client: LocalnetClient, plan: VaultPlan): Promise<void> {
  await send(client, { to: predictAddress(`${plan.kind}Factory`), data: creation(plan) })
  await joinVaultPool(client, vaultPoolAddress(plan), vaultSides(plan))
}

/** Initializes a pool of the vault, which may have its own shares among its tokens. */
export async function joinVaultPool(
  client: LocalnetClient,
  address: Address,
  sides: readonly Side[],
): Promise<void> {
  const vault = predictAddress('vault')
  const poolId = await client.readContract({ address, abi: poolAbi, functionName: 'getPoolId' })
  const read = { address: vault, abi: vaultAbi, functionName: 'getPoolTokens', args: [poolId] } as const
  const [assets] = await client.readContract(read)
  const amountOf = (asset: Address) => sides.find(({ token }) => token === asset.toLowerCase())?.amount ?? 0n
  const amounts = assets.map(amountOf)
  const request = {
    assets,
    // All shares of a composable pool are minted into the vault.
    maxAmountsIn: assets.map((asset) => amountOf(asset) || maxUint256),
    // JoinKind.INIT.
    userData: encodeAbiParameters(parseAbiParameters('uint256, uint256[]'), [0n, amounts]),
    fromInternalBalance: false,
  }
  const args = [poolId, deployer, deployer, request] as const
  const join = encodeFunctionData({ abi: vaultAbi, functionName: 'joinPool', args })
  await send(client, { to: vault, data: join })
}

function creation(plan: VaultPlan) {
  const sides = vaultSides(plan)
  const tokens = sides.map(({ token }) => token)
  const fee = BigInt(plan.fee) * 10n ** 12n
  const name = vaultPoolTitle(plan)
  const symbol = plan.tokens.join('-')
  if (plan.kind === 'weighted') {
    const weights = sides.map(({ part }) => BigInt(part) * 10n ** 16n)
    const args = [name, symbol, tokens, weights, fee, deployer] as const
    return encodeFunctionData({ abi: weightedAbi, functionName: 'create', args })
  }
  const args = [name, symbol, tokens, BigInt(plan.amplification), fee, deployer] as const
  return encodeFunctionData({ abi: stableAbi, functionName: 'create', args })
}
