import { type Abi, encodeFunctionData, erc20Abi, getContractAddress } from 'viem'
import { readArtifact } from '../../../contracts/artifact.ts'
import { deployer } from '../../../dev/chain/client.ts'
import { readPackageContract } from '../../../dev/chain/packageContracts.ts'
import { curveOwner } from '../../../dev/chain/stableSwaps.ts'
import type { Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../service/config.ts'
import { nativeTokenAddress } from '../../../service/tokens/registry.ts'
import { deployContract } from './deployContract.ts'

const none: Address = '0x0000000000000000000000000000000000000000'
const [amplification, fee] = [100n, 4_000_000n]

/** Opens StableSwap pools of the native token, as Curve's stETH/ETH; the deployer gets ether for them. */
export function createNativeStableSwaps(localnet: Pick<Localnet, 'client' | 'contracts'>) {
  const { client, contracts } = localnet

  async function call(to: Address, abi: Abi, functionName: string, args: unknown[], value = 0n) {
    const data = encodeFunctionData({ abi, functionName, args })
    await client.execute({ account: deployer, to, data, value, gas: 10_000_000n })
  }

  /** `amount` of each token. */
  async function fill(pool: Address, coins: readonly Address[], amount: bigint): Promise<void> {
    for (const coin of coins) {
      if (coin !== nativeTokenAddress) await call(coin, erc20Abi, 'approve', [pool, amount])
    }
    const { abi } = readPackageContract('CurvePool')
    await client.setBalance({ address: deployer, value: 10n ** 24n })
    await call(pool, abi, 'add_liquidity', [coins.map(() => amount), 0n], amount)
  }

  return {
    call,

    /** A token of 18 decimals that the deployer has a billion of. */
    async createToken(symbol: string): Promise<Address> {
      const { abi, bytecode } = readArtifact('Token')
      const token = await deployContract(localnet, { abi, bytecode }, [symbol, symbol, 18])
      await call(token, abi, 'mint', [deployer, 10n ** 27n])
      return token
    },

    /** By Curve's factory, up to four tokens. */
    async createPool(coins: readonly Address[], amount: bigint): Promise<Address> {
      const factory = contracts.curveFactory
      const nonce = BigInt(await client.getTransactionCount({ address: factory }))
      const { abi } = readPackageContract('CurveFactory')
      await call(factory, abi, 'deploy_plain_pool', [[...coins, none, none].slice(0, 4), amplification, fee])
      const pool = getContractAddress({ from: factory, nonce }).toLowerCase() as Address
      await fill(pool, coins, amount)
      return pool
    },

    /** Of Curve's registry. */
    async registerPool(coins: readonly Address[], amount: bigint): Promise<Address> {
      const build = readPackageContract('CurvePool')
      const pool = await deployContract(localnet, build, [curveOwner, coins, amplification, fee, 100n])
      const { abi } = readPackageContract('CurveRegistry')
      await call(contracts.curveRegistry, abi, 'add_pool', [pool, '0x'])
      await fill(pool, coins, amount)
      return pool
    },
  }
}
