import {
  encodeAbiParameters,
  encodeFunctionData,
  getCreate2Address,
  type Hex,
  keccak256,
  pad,
  parseAbi,
  toHex,
  zeroAddress,
} from 'viem'
import type { Address } from '../../service/config.ts'
import { deployer, type LocalnetClient, send } from '../chain/client.ts'
import { predictAddress } from '../chain/deploy.ts'
import { readPackageContract } from '../chain/packageContracts.ts'
import { vaultV3Owner } from '../chain/vaultV3.ts'
import { type VaultPlan, vaultSides } from './balancerPools.ts'
import { tokens } from './tokens.ts'

/** Two and three tokens, 6 to 18 decimals; the stable pools are unbalanced. */
export const vaultV3Pools: readonly VaultPlan[] = [
  { kind: 'weighted', tokens: ['WBTC', 'WETH'], parts: [60, 40], usd: 3_000_000, fee: 2_000, skewBps: 9 },
  {
    kind: 'weighted',
    tokens: ['LINK', 'WETH', 'USDC'],
    parts: [50, 25, 25],
    usd: 2_000_000,
    fee: 3_000,
    skewBps: -12,
  },
  { kind: 'stable', tokens: ['USDC', 'DAI'], parts: [51, 49], usd: 5_000_000, fee: 100, amplification: 500 },
  {
    kind: 'stable',
    tokens: ['USDC', 'USDT', 'DAI'],
    parts: [33, 33.5, 33.5],
    usd: 6_000_000,
    fee: 200,
    amplification: 200,
  },
]

const factoryAbi = parseAbi([
  'struct TokenConfig { address token; uint8 tokenType; address rateProvider; bool paysYieldFees; }',
  'struct Roles { address pauseManager; address swapFeeManager; address poolCreator; }',
  'function create(string name, string symbol, TokenConfig[] tokens, uint256[] weights, Roles roles, uint256 fee, address hooks, bool enableDonation, bool disableUnbalancedLiquidity, bytes32 salt)',
  'function create(string name, string symbol, TokenConfig[] tokens, uint256 amplification, Roles roles, uint256 fee, address hooks, bool enableDonation, bool disableUnbalancedLiquidity, bytes32 salt)',
])
const tokenAbi = parseAbi(['function transfer(address to, uint256 value)'])
const vaultAbi = parseAbi([
  'function initialize(address pool, address to, address[] tokens, uint256[] amounts, uint256 minShares, bytes userData)',
  'function settle(address token, uint256 amount)',
])
const operatorAbi = parseAbi(['struct Step { address to; bytes data; }', 'function run(Step[] steps)'])

/** As BasePoolFactory._create; the address depends on the chain. */
export function vaultV3PoolAddress(plan: VaultPlan, chainId: number): Address {
  const { name, symbol, sides, weights } = described(plan)
  const parameters =
    plan.kind === 'weighted'
      ? encodeAbiParameters(
          [{ type: 'tuple', components: weightedParameters }, { type: 'address' }],
          [
            {
              ...{ name, symbol, numTokens: BigInt(sides.length), normalizedWeights: weights },
              ...{ version: 'WeightedPool 1', minTokenBalances: sides.map(({ token }) => minBalance(token)) },
            },
            predictAddress('vaultV3'),
          ],
        )
      : encodeAbiParameters(
          [{ type: 'tuple', components: stableParameters }, { type: 'address' }],
          [
            {
              ...{ name, symbol, amplificationParameter: BigInt(plan.amplification) },
              version: 'StablePool 1',
            },
            predictAddress('vaultV3'),
          ],
        )
  const { bytecode } = readPackageContract(plan.kind === 'weighted' ? 'WeightedPool' : 'StablePool')
  const salt = encodeAbiParameters(
    [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes32' }],
    [vaultV3Owner, BigInt(chainId), saltOf(plan)],
  )
  const address = getCreate2Address({
    from: factoryOf(plan),
    salt: keccak256(salt),
    bytecode: `${bytecode}${parameters.slice(2)}` as Hex,
  })
  return address.toLowerCase() as Address
}

const weightedParameters = [
  { type: 'string', name: 'name' },
  { type: 'string', name: 'symbol' },
  { type: 'uint256', name: 'numTokens' },
  { type: 'uint256[]', name: 'normalizedWeights' },
  { type: 'string', name: 'version' },
  { type: 'uint256[]', name: 'minTokenBalances' },
] as const
const stableParameters = [
  { type: 'string', name: 'name' },
  { type: 'string', name: 'symbol' },
  { type: 'uint256', name: 'amplificationParameter' },
  { type: 'string', name: 'version' },
] as const

/** MinTokenBalanceLib.computeMinTokenBalances */
function minBalance(token: Address): bigint {
  const { decimals = 18 } = tokens.find(({ symbol }) => predictAddress(symbol) === token) ?? {}
  return decimals < 12 ? 10n ** BigInt(18 - decimals) : 10n ** 6n
}

/** "WBTC/WETH v3 weighted 60/40 0.2 %" */
export function vaultV3PoolTitle(plan: VaultPlan): string {
  const shape = plan.kind === 'weighted' ? plan.parts.join('/') : plan.amplification
  return `${plan.tokens.join('/')} v3 ${plan.kind} ${shape} ${plan.fee / 10_000} %`
}

/** The vault's operator holds the shares; the deployer gets its nonce back. */
export async function seedVaultV3(client: LocalnetClient): Promise<void> {
  const nonce = await client.getTransactionCount({ address: deployer })
  for (const plan of vaultV3Pools) await open(client, plan)
  await client.setNonce({ address: deployer, nonce })
}

async function open(client: LocalnetClient, plan: VaultPlan): Promise<void> {
  const { name, symbol, sides, weights } = described(plan)
  const [vault, operator] = [predictAddress('vaultV3'), predictAddress('vaultV3Operator')]
  const traded = sides.map(({ token }) => token)
  const amounts = sides.map(({ amount }) => amount)
  const standard = { tokenType: 0, rateProvider: zeroAddress, paysYieldFees: false }
  const shared = [name, symbol, traded.map((token) => ({ token, ...standard }))] as const
  const roles = { pauseManager: zeroAddress, swapFeeManager: vaultV3Owner, poolCreator: zeroAddress }
  const rest = [
    ...([roles, BigInt(plan.fee) * 10n ** 12n, zeroAddress, false, false, saltOf(plan)] as const),
  ] as const
  const data =
    plan.kind === 'weighted'
      ? encodeFunctionData({ abi: factoryAbi, functionName: 'create', args: [...shared, weights, ...rest] })
      : encodeFunctionData({
          ...{ abi: factoryAbi, functionName: 'create' },
          args: [...shared, BigInt(plan.amplification), ...rest],
        })
  await client.execute({ account: vaultV3Owner, to: factoryOf(plan), data, gas: 9_000_000n })
  const pool = vaultV3PoolAddress(plan, await client.getChainId())
  for (const { token, amount } of sides) {
    const args = [vault, amount] as const
    await send(client, {
      to: token,
      data: encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args }),
    })
  }
  const initialize = encodeFunctionData({
    ...{ abi: vaultAbi, functionName: 'initialize' },
    args: [pool, operator, traded, amounts, 0n, '0x'],
  })
  const settled = sides.map(({ token, amount }) =>
    encodeFunctionData({ abi: vaultAbi, functionName: 'settle', args: [token, amount] }),
  )
  const steps = [initialize, ...settled].map((step) => ({ to: vault, data: step }))
  const run = encodeFunctionData({ abi: operatorAbi, functionName: 'run', args: [steps] })
  await client.execute({ account: vaultV3Owner, to: operator, data: run })
}

function described(plan: VaultPlan) {
  const sides = vaultSides(plan)
  const weights = sides.map(({ part }) => BigInt(part * 100) * 10n ** 14n)
  return { name: vaultV3PoolTitle(plan), symbol: plan.tokens.join('-'), sides, weights }
}

function factoryOf({ kind }: VaultPlan): Address {
  return predictAddress(kind === 'weighted' ? 'weightedV3Factory' : 'stableV3Factory')
}

function saltOf(plan: VaultPlan): Hex {
  return pad(toHex(vaultV3Pools.indexOf(plan)), { size: 32 })
}
