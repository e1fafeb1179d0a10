import { encodeFunctionData, erc20Abi, type Hex, maxUint256, parseAbi, zeroAddress } from 'viem'
import { readArtifact } from '../../../contracts/artifact.ts'
import { readForgeBuild } from '../../../dev/chain/artifacts.ts'
import { deployer, send } from '../../../dev/chain/client.ts'
import { poolManagerOwner } from '../../../dev/chain/deploy.ts'
import type { Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../service/config.ts'
import { deployContract } from './deployContract.ts'

/** v4-core: PoolKey. Currency 0 is zero for the native token. */
export type Key = {
  currency0: Address
  currency1: Address
  fee: number
  tickSpacing: number
  hooks: Address
}

export type Position = { tickLower: number; tickUpper: number; liquidityDelta: bigint }

const { abi: managerAbi } = readForgeBuild('@uniswap/v4-core/out/PoolManager.sol/PoolManager.json')
const swapper = readForgeBuild('@uniswap/v4-core/out/PoolSwapTest.sol/PoolSwapTest.json')
const modifier = readForgeBuild(
  '@uniswap/v4-core/out/PoolModifyLiquidityTest.sol/PoolModifyLiquidityTest.json',
)
const donor = readForgeBuild('@uniswap/v4-core/out/PoolDonateTest.sol/PoolDonateTest.json')
const mintAbi = parseAbi(['function mint(address to, uint256 value)'])
const noSalt: Hex = `0x${'00'.repeat(32)}`

/** Just inside the prices of the outermost ticks: no limit (v4-core: TickMath). */
const limits = {
  down: 4_295_128_740n,
  up: 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n,
}

/** Opens and trades pools by the authors' own test routers. The deployer pays. */
export async function createManagerStage(localnet: Pick<Localnet, 'client' | 'contracts'>) {
  const { client } = localnet
  const manager = localnet.contracts.poolManager
  const routers: Address[] = []
  for (const build of [swapper, modifier, donor])
    routers.push(await deployContract(localnet, build, [manager]))
  const [swapRouter, liquidityRouter, donateRouter] = routers as [Address, Address, Address]
  await client.setBalance({ address: deployer, value: 2n ** 127n })

  async function approveAll(token: Address): Promise<void> {
    for (const router of routers) {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [router, maxUint256] })
      await send(client, { to: token, data })
    }
  }

  function swapArgs(key: Key, zeroForOne: boolean, amount: bigint) {
    const limit = zeroForOne ? limits.down : limits.up
    const params = { zeroForOne, amountSpecified: -amount, sqrtPriceLimitX96: limit }
    return [key, params, { takeClaims: false, settleUsingBurn: false }, '0x'] as const
  }

  const nativeOf = (key: Key, zeroForOne: boolean, amount: bigint) =>
    zeroForOne && key.currency0 === zeroAddress ? amount : 0n

  async function asController(functionName: string, args: readonly unknown[]): Promise<void> {
    await client.impersonateAccount({ address: poolManagerOwner })
    const data = encodeFunctionData({ abi: managerAbi, functionName, args })
    await client.execute({ account: poolManagerOwner, to: manager, data, gas: 1_000_000n })
  }

  return {
    manager,
    approveAll,

    /** A token that the deployer holds and that the routers may take. */
    async createToken(): Promise<Address> {
      const token = await deployContract(localnet, readArtifact('Token'), ['T', 'T', 18])
      const args = [deployer, 2n ** 200n] as const
      await send(client, {
        to: token,
        data: encodeFunctionData({ abi: mintAbi, functionName: 'mint', args }),
      })
      await approveAll(token)
      return token
    },

    async initialize(key: Key, sqrtPrice: bigint): Promise<void> {
      const data = encodeFunctionData({ abi: managerAbi, functionName: 'initialize', args: [key, sqrtPrice] })
      await send(client, { to: manager, data })
    },

    /** Negative liquidity is removed. */
    async modify(key: Key, position: Position): Promise<void> {
      const args = [key, { ...position, salt: noSalt }, '0x'] as const
      const data = encodeFunctionData({ abi: modifier.abi, functionName: 'modifyLiquidity', args })
      const value = key.currency0 === zeroAddress && position.liquidityDelta > 0n ? 2n ** 100n : 0n
      await send(client, { to: liquidityRouter, data, value })
    },

    async donate(key: Key, amount0: bigint, amount1: bigint): Promise<void> {
      const args = [key, amount0, amount1, '0x'] as const
      const data = encodeFunctionData({ abi: donor.abi, functionName: 'donate', args })
      await send(client, {
        to: donateRouter,
        data,
        value: key.currency0 === zeroAddress ? amount0 : 0n,
      })
    },

    /** Millionths of the input: of token0 in the low 12 bits, of token1 above. */
    async setProtocolFee(key: Key, fee: number): Promise<void> {
      await asController('setProtocolFeeController', [poolManagerOwner])
      await asController('setProtocolFee', [key, fee])
    },

    async swap(key: Key, zeroForOne: boolean, amount: bigint): Promise<void> {
      const args = swapArgs(key, zeroForOne, amount)
      const data = encodeFunctionData({ abi: swapper.abi, functionName: 'swap', args })
      await send(client, { to: swapRouter, data, value: nativeOf(key, zeroForOne, amount) })
    },

    /** Returns the amounts of a swap at the newest block; undefined if it reverts. */
    async trySwap(key: Key, zeroForOne: boolean, amount: bigint) {
      const args = swapArgs(key, zeroForOne, amount)
      const data = encodeFunctionData({ abi: swapper.abi, functionName: 'swap', args })
      const call = { account: deployer, to: swapRouter, data, gas: 10_000_000_000n, gasPrice: 0n }
      const value = nativeOf(key, zeroForOne, amount)
      const answer = await client.call({ ...call, value }).catch(() => undefined)
      if (answer?.data === undefined) return undefined
      const delta = BigInt(answer.data)
      const [delta0, delta1] = [BigInt.asIntN(128, delta >> 128n), BigInt.asIntN(128, delta)]
      return zeroForOne ? { sold: -delta0, bought: delta1 } : { sold: -delta1, bought: delta0 }
    },
  }
}
