import { encodeDeployData, getContractAddress } from 'viem'
import { readArtifact } from '../contracts/artifact.ts'
import type { Address } from '../service/config.ts'
import { type Build, readBuild } from './artifacts.ts'
import { deployer, send, type WorldClient } from './client.ts'
import { findToken, stash, type TokenSymbol } from './tokens.ts'

export type ContractName =
  | TokenSymbol
  | 'v2Factory'
  | 'v2Router'
  | 'v3Factory'
  | 'positions'
  | 'quoter'
  | 'router'

/** A contract ready to be deployed. */
export type Deployment = { name: ContractName; build: Build; args: unknown[] }

type Plan = { name: ContractName; build: () => Build; args: () => unknown[] }

const v2Periphery = '@uniswap/v2-periphery/build'
const v3Periphery = '@uniswap/v3-periphery/artifacts/contracts'

/**
 * Everything that is deployed, in that order: a contract's address follows from the deployer and its place here, and so is the
 * same on every chain. Add at the end.
 */
const plans: readonly Plan[] = [
  { name: 'WETH', build: () => readBuild(`${v2Periphery}/WETH9.json`), args: () => [] },
  token('USDC', 'PermitToken'),
  token('USDT', 'UsdtLikeToken'),
  token('DAI', 'Token'),
  token('WBTC', 'Token'),
  token('LINK', 'Token'),
  token('BROOK', 'Token'),
  {
    name: 'DTT',
    build: () => readBuild(`${v2Periphery}/DeflatingERC20.json`),
    args: () => [stash(findToken('DTT'))],
  },
  {
    name: 'v2Factory',
    build: () => readBuild('@uniswap/v2-core/build/UniswapV2Factory.json'),
    args: () => [deployer],
  },
  {
    name: 'v2Router',
    build: () => readBuild(`${v2Periphery}/UniswapV2Router02.json`),
    args: () => [addressOf('v2Factory'), addressOf('WETH')],
  },
  {
    name: 'v3Factory',
    build: () => readBuild('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json'),
    args: () => [],
  },
  {
    name: 'positions',
    build: () => readBuild(`${v3Periphery}/NonfungiblePositionManager.sol/NonfungiblePositionManager.json`),
    // The third would draw pictures of positions; nobody asks for one here.
    args: () => [addressOf('v3Factory'), addressOf('WETH'), deployer],
  },
  {
    name: 'quoter',
    build: () => readBuild(`${v3Periphery}/lens/QuoterV2.sol/QuoterV2.json`),
    args: () => [addressOf('v3Factory'), addressOf('WETH')],
  },
  { name: 'router', build: () => readArtifact('SwapRouter'), args: () => [addressOf('WETH')] },
]

/** Where a contract stands in every local world. */
export function addressOf(name: ContractName): Address {
  const nonce = plans.findIndex((plan) => plan.name === name)
  if (nonce < 0) throw new Error(`The local world deploys no ${name}.`)
  return getContractAddress({ from: deployer, nonce: BigInt(nonce) }).toLowerCase() as Address
}

/** Every contract with its code and arguments, in order. Ours must have been compiled. */
export function readDeployments(): Deployment[] {
  return plans.map(({ name, build, args }) => ({ name, build: build(), args: args() }))
}

/** Deploys on an empty chain. Throws when a contract does not end up where `addressOf` says. */
export async function deploy(client: WorldClient, deployments: readonly Deployment[]): Promise<void> {
  for (const { name, build, args } of deployments) {
    const data = encodeDeployData({ ...build, args })
    const { contractAddress } = await send(client, { data })
    if (contractAddress?.toLowerCase() !== addressOf(name)) {
      throw new Error(`${name} was not deployed at ${addressOf(name)}.`)
    }
  }
}

/** One of our own test tokens, made from what dev/tokens.ts says. */
function token(name: TokenSymbol, contract: 'Token' | 'PermitToken' | 'UsdtLikeToken'): Plan {
  return {
    name,
    build: () => readArtifact(contract),
    args: () => {
      const { name: title, symbol, decimals, domainVersion } = findToken(name)
      return [title, symbol, decimals, ...(domainVersion ? [domainVersion] : [])]
    },
  }
}
