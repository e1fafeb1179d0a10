import { encodeFunctionData, maxUint256, parseAbi } from 'viem'
import type { Address } from '../../service/config.ts'
import { deployer, type LocalnetClient, send } from '../chain/client.ts'
import { converterOwner, predictAddress } from '../chain/deploy.ts'
import { findToken, unitsForUsd } from './tokens.ts'

/** Factories of the config, each of which is the pool itself; dearer than the pools of the same tokens. */
export const converters = [
  { source: 'SAVINGS_DAI', title: 'Savings Dai', name: 'savingsVault', form: 'erc4626' },
  { source: 'LIDO_WSTETH', title: 'Lido wstETH', name: 'wrappedShares', form: 'wsteth' },
  { source: 'MAKER_PSM', title: 'Maker PSM', name: 'pegModule', form: 'psm' },
] as const

const abi = parseAbi([
  'function transfer(address to, uint256 value)',
  'function approve(address spender, uint256 value)',
  'function deposit(uint256 assets, address receiver)',
  'function wrap(uint256 amount)',
  'function setFees(uint256 tin, uint256 tout)',
])

/**
 * Fills the vault and gives it yield, wraps most of the pooled shares, and fills the peg module, with fees of
 * 0.1 and 0.08 %. The deployer gets its nonce back: what it deploys later keeps its addresses.
 */
export async function seedConverters(client: LocalnetClient): Promise<void> {
  const nonce = await client.getTransactionCount({ address: deployer })
  const [vault, pooled, wrapped, module] = (
    ['savingsVault', 'pooledShares', 'wrappedShares', 'pegModule'] as const
  ).map(predictAddress) as [Address, Address, Address, Address]
  const [USDC, DAI] = (['USDC', 'DAI'] as const).map(predictAddress) as [Address, Address]
  const [usdc, dai] = [unitsForUsd(findToken('USDC'), 2_000_000), unitsForUsd(findToken('DAI'), 1_000_000)]

  await call(DAI, 'approve', [vault, maxUint256])
  await call(vault, 'deposit', [dai, deployer])
  await call(DAI, 'transfer', [vault, 53_711_234_567_890_123_456_789n])
  await call(pooled, 'approve', [wrapped, maxUint256])
  await call(wrapped, 'wrap', [10n ** 21n])
  await call(USDC, 'transfer', [converterOwner, usdc])
  await call(DAI, 'transfer', [module, 2n * dai])
  await call(module, 'setFees', [10n ** 15n, 8n * 10n ** 14n])
  const args = [module, maxUint256] as const
  const data = encodeFunctionData({ abi, functionName: 'approve', args })
  await client.execute({ account: converterOwner, to: USDC, data, gas: 1_000_000n })
  await client.setNonce({ address: deployer, nonce })

  async function call(to: Address, functionName: string, args: readonly (Address | bigint)[]): Promise<void> {
    await send(client, { to, data: encodeFunctionData({ abi, functionName, args } as never) })
  }
}
