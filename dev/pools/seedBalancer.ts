import { encodeAbiParameters, encodeFunctionData, maxUint256, parseAbi, parseAbiParameters } from 'viem'
import { deployer, type LocalnetClient, send } from '../chain/client.ts'
import { predictAddress } from '../chain/deploy.ts'
import { type VaultPlan, vaultPoolAddress, vaultPools, vaultPoolTitle, vaultSides } from './balancerPools.ts'

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
  const address = vaultPoolAddress(plan)
  const poolId = await client.readContract({ address, abi: poolAbi, functionName: 'getPoolId' })
  const sides = vaultSides(plan)
  const amounts = sides.map(({ amount }) => amount)
  const request = {
    assets: sides.map(({ token }) => token),
    maxAmountsIn: amounts,
    // JoinKind.INIT.
    userData: encodeAbiParameters(parseAbiParameters('uint256, uint256[]'), [0n, amounts]),
    fromInternalBalance: false,
  }
  const args = [poolId, deployer, deployer, request] as const
  const join = encodeFunctionData({ abi: vaultAbi, functionName: 'joinPool', args })
  await send(client, { to: predictAddress('vault'), data: join })
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
