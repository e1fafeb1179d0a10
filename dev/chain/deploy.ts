import { encodeDeployData, getContractAddress, parseEther } from 'viem'
import { readArtifact } from '../../contracts/artifact.ts'
import type { Address } from '../../service/config.ts'
import { findToken, initialSupply, type TokenSymbol } from '../pools/tokens.ts'
import { type AlgebraContract, algebraPlans } from './algebra.ts'
import { type Build, readBuild, readForgeBuild, readSplitBuild } from './artifacts.ts'
import { deployer, type LocalnetClient } from './client.ts'
import { type ComposableContract, composablePlans } from './composable.ts'
import { readPackageContract } from './packageContracts.ts'
import { canonical } from './preinstalls.ts'
import { type SlipstreamContract, slipstreamPlans } from './slipstream.ts'
import { type StableSwapContract, stableSwapPlans } from './stableSwaps.ts'
import { type VaultV3Contract, vaultV3Plans } from './vaultV3.ts'

export type ContractName =
  | TokenSymbol
  | 'v2Factory'
  | 'v2Router'
  | 'v3Factory'
  | 'positions'
  | 'quoter'
  | 'vault'
  | 'weightedFactory'
  | 'stableFactory'
  | 'router'
  | 'sushiFactory'
  | 'swapRouter'
  | 'solidlyPool'
  | 'solidlyFactory'
  | ConverterName
  | 'poolManager'
  | VaultV3Contract
  | StableSwapContract
  | 'liquidityRouter'
  | AlgebraContract
  | SlipstreamContract
  | ComposableContract

export type Deployment = { name: ContractName; build: Build; args: unknown[] }

/** `from`: an own account, so that what the deployer deploys later keeps its addresses. */
export type Plan = { name: ContractName; build: () => Build; args: () => unknown[]; from?: Address }

/** Fee manager and pauser of the Solidly factory. */
export const solidlyOwner: Address = '0x5eed5eed5eed5eed5eed5eed5eed5eed5eed5ee4'

/** Owner of the Uniswap v4 pool manager; names who sets protocol fees. */
export const poolManagerOwner: Address = '0x5eed5eed5eed5eed5eed5eed5eed5eed5eed5ee7'

/** Deploys the converters; pocket of the peg module. */
export const converterOwner: Address = '0x5eed5eed5eed5eed5eed5eed5eed5eed5eed5ec9'

type ConverterName = 'savingsVault' | 'pooledShares' | 'wrappedShares' | 'pegModule'

const v2Periphery = '@uniswap/v2-periphery/build'
const v3Periphery = '@uniswap/v3-periphery/artifacts/contracts'
const swapRouterContracts = '@uniswap/swap-router-contracts/artifacts/contracts'
const balancer = '@balancer-labs/v2-deployments/dist/tasks'

/** Addresses depend on the order: add at the end. */
const plans: readonly Plan[] = [
  { name: 'WETH', build: () => readBuild(`${v2Periphery}/WETH9.json`), args: () => [] },
  token('USDC', 'PermitToken'),
  token('USDT', 'UsdtLikeToken'),
  token('DAI', 'DaiLikeToken'),
  token('WBTC', 'Token'),
  token('LINK', 'Token'),
  token('BROOK', 'Token'),
  {
    name: 'DTT',
    build: () => readBuild(`${v2Periphery}/DeflatingERC20.json`),
    args: () => [initialSupply(findToken('DTT'))],
  },
  {
    name: 'v2Factory',
    build: () => readBuild('@uniswap/v2-core/build/UniswapV2Factory.json'),
    args: () => [deployer],
  },
  {
    name: 'v2Router',
    build: () => readBuild(`${v2Periphery}/UniswapV2Router02.json`),
    args: () => [predictAddress('v2Factory'), predictAddress('WETH')],
  },
  {
    name: 'v3Factory',
    build: () => readBuild('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json'),
    args: () => [],
  },
  {
    name: 'positions',
    build: () => readBuild(`${v3Periphery}/NonfungiblePositionManager.sol/NonfungiblePositionManager.json`),
    // The token descriptor is unused.
    args: () => [predictAddress('v3Factory'), predictAddress('WETH'), deployer],
  },
  {
    name: 'quoter',
    build: () => readBuild(`${v3Periphery}/lens/QuoterV2.sol/QuoterV2.json`),
    args: () => [predictAddress('v3Factory'), predictAddress('WETH')],
  },
  {
    name: 'vault',
    build: () => readBuild(`${balancer}/20210418-vault/artifact/Vault.json`),
    args: () => [deployer, predictAddress('WETH'), 0n, 0n],
  },
  {
    name: 'weightedFactory',
    build: () => readSplitBuild(`${balancer}/20210418-weighted-pool`, 'WeightedPoolFactory'),
    args: () => [predictAddress('vault')],
  },
  {
    name: 'stableFactory',
    build: () => readBuild(`${balancer}/20220609-stable-pool-v2/artifact/StablePoolFactory.json`),
    args: () => [predictAddress('vault')],
  },
  {
    name: 'router',
    build: () => readArtifact('SwapRouter'),
    args: () => [
      predictAddress('WETH'),
      canonical.permit2,
      predictAddress('vault'),
      predictAddress('poolManager'),
      predictAddress('vaultV3'),
    ],
  },
  {
    name: 'sushiFactory',
    // SushiSwap uses the same pairs.
    build: () => readBuild('@uniswap/v2-core/build/UniswapV2Factory.json'),
    args: () => [deployer],
  },
  {
    // SwapRouter02
    name: 'swapRouter',
    from: '0x5eed5eed5eed5eed5eed5eed5eed5eed5eed5ee2',
    build: () => readBuild(`${swapRouterContracts}/SwapRouter02.sol/SwapRouter02.json`),
    args: () => [
      predictAddress('v2Factory'),
      predictAddress('v3Factory'),
      predictAddress('positions'),
      predictAddress('WETH'),
    ],
  },
  {
    // Copied by the factory (EIP-1167).
    name: 'solidlyPool',
    from: solidlyOwner,
    build: () => readPackageContract('Pool'),
    args: () => [],
  },
  {
    name: 'solidlyFactory',
    from: solidlyOwner,
    build: () => readPackageContract('PoolFactory'),
    args: () => [predictAddress('solidlyPool')],
  },
  {
    name: 'poolManager',
    from: poolManagerOwner,
    build: () => readForgeBuild('@uniswap/v4-core/out/PoolManager.sol/PoolManager.json'),
    args: () => [poolManagerOwner],
  },
  ...vaultV3Plans(predictAddress),
  ...stableSwapPlans(predictAddress),
  {
    // Adds and removes liquidity of Uniswap v4 pools.
    name: 'liquidityRouter',
    from: poolManagerOwner,
    build: () =>
      readForgeBuild('@uniswap/v4-core/out/PoolModifyLiquidityTest.sol/PoolModifyLiquidityTest.json'),
    args: () => [predictAddress('poolManager')],
  },
  ...algebraPlans(predictAddress),
  ...slipstreamPlans(predictAddress),
  {
    name: 'savingsVault',
    from: converterOwner,
    build: () => readPackageContract('SavingsVault'),
    args: () => [predictAddress('DAI'), 0],
  },
  {
    // 1.1903 ether per share.
    name: 'pooledShares',
    from: converterOwner,
    build: () => readPackageContract('PooledShares'),
    args: () => [1_190_345_678_901_234_567_891n, 1_000_000_000_000_000_000_007n, deployer],
  },
  {
    name: 'wrappedShares',
    from: converterOwner,
    build: () => readPackageContract('WrappedShares'),
    args: () => [predictAddress('pooledShares')],
  },
  {
    name: 'pegModule',
    from: converterOwner,
    build: () => readPackageContract('PegModule'),
    args: () => [predictAddress('USDC'), predictAddress('DAI'), converterOwner, 10n ** 12n],
  },
  ...composablePlans(predictAddress),
]

/** Equal on every localnet. */
export function predictAddress(name: ContractName): Address {
  const { from = deployer } = plans.find((plan) => plan.name === name) ?? {}
  const nonce = plans
    .filter((plan) => (plan.from ?? deployer) === from)
    .findIndex((plan) => plan.name === name)
  if (nonce < 0) throw new Error(`The localnet deploys no ${name}.`)
  return getContractAddress({ from, nonce: BigInt(nonce) }).toLowerCase() as Address
}

/** Requires compiled contracts. */
export function readDeployments(): Deployment[] {
  return plans.map(({ name, build, args }) => ({ name, build: build(), args: args() }))
}

/** Throws when an address is not as predicted. */
export async function deploy(client: LocalnetClient, deployments: readonly Deployment[]): Promise<void> {
  for (const { name, build, args } of deployments) {
    const data = encodeDeployData({ ...build, args })
    const { from = deployer } = plans.find((plan) => plan.name === name) ?? {}
    if (from !== deployer) await prepareSender(client, from)
    const { contractAddress } = await client.execute({ account: from, data, gas: 15_000_000n })
    if (contractAddress?.toLowerCase() !== predictAddress(name)) {
      throw new Error(`${name} was not deployed at ${predictAddress(name)}.`)
    }
  }
}

async function prepareSender(client: LocalnetClient, address: Address): Promise<void> {
  await client.impersonateAccount({ address })
  await client.setBalance({ address, value: parseEther('1') })
}

function token(
  name: TokenSymbol,
  contract: 'Token' | 'PermitToken' | 'UsdtLikeToken' | 'DaiLikeToken',
): Plan {
  return {
    name,
    build: () => readArtifact(contract),
    args: () => {
      const { name: title, symbol, decimals, domainVersion } = findToken(name)
      // Fixed at 18 decimals, version 1.
      if (contract === 'DaiLikeToken') return [title, symbol]
      return [title, symbol, decimals, ...(domainVersion ? [domainVersion] : [])]
    },
  }
}
