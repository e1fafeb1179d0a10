import { encodeDeployData, getCreate2Address, type Hex, zeroAddress, zeroHash } from 'viem'
import type { Address, ChainConfig } from '../service/config.ts'
import { readArtifact } from './artifact.ts'

/**
 * Deterministic deployment proxy, present on nearly every chain
 * (github.com/Arachnid/deterministic-deployment-proxy). Its input is the salt, then the code.
 */
export const create2Deployer: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

export type RouterDeployment = { address: Address; deployer: Address; salt: Hex; initCode: Hex }

/** The contracts that a router is bound to, from its chain's config. */
export type RouterArguments = Pick<ChainConfig, 'wrapped' | 'permit2' | 'vault' | 'poolManager' | 'vaultV3'>

/** Computes the router's CREATE2 deployment, which depends only on the compiled sources and arguments. */
export function routerAddress({
  wrapped,
  permit2,
  vault = zeroAddress,
  poolManager = zeroAddress,
  vaultV3 = zeroAddress,
}: RouterArguments): RouterDeployment {
  const { abi, bytecode } = readArtifact('SwapRouter')
  const initCode = encodeDeployData({ abi, bytecode, args: [wrapped, permit2, vault, poolManager, vaultV3] })
  const salt = zeroHash
  const address = getCreate2Address({ from: create2Deployer, salt, bytecode: initCode })
  return { address: address.toLowerCase() as Address, deployer: create2Deployer, salt, initCode }
}
