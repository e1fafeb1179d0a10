import { encodeFunctionData, type Hex, maxUint256, parseAbi } from 'viem'
import { readArtifact } from '../../../contracts/artifact.ts'
import { deployer } from '../../../dev/chain/client.ts'
import { readOldContract } from '../../../dev/chain/packageContracts.ts'
import { slipstreamOwner } from '../../../dev/chain/slipstream.ts'
import type { Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../service/config.ts'
import { sqrtPriceAtTick } from '../../../service/pools/math/sqrtPrice.ts'
import { deployContract } from './deployContract.ts'

const abi = parseAbi([
  'function createPool(address, address, int24, uint160)',
  'function getPool(address, address, int24) view returns (address)',
  'function setSwapFeeModule(address)',
  'function setCustomFee(address pool, uint24 fee)',
  'function setFeeCap(address pool, uint24 cap)',
  'function setScalingFactor(address pool, uint64 factor)',
  'function resetDynamicFee(address pool)',
  'function setDefaultFeeCap(uint256)',
  'function setDefaultScalingFactor(uint256)',
  'function setSecondsAgo(uint32)',
  'function increaseObservationCardinalityNext(uint16)',
  'function fee() view returns (uint24)',
  'function openGauge(address pool)',
  'function mint(address pool, address owner, int24 lower, int24 upper, uint128 amount)',
  'function burn(address pool, address owner, int24 lower, int24 upper, uint128 amount)',
  'function stake(address pool, int128 delta, int24 lower, int24 upper)',
  'function reward(address pool, uint256 rate, uint256 reserve, uint256 end)',
  'function sell(address pool, bool zeroForOne, int256 amount) returns (int256, int256)',
  'function approve(address spender, uint256 value)',
])
const tokenAbi = parseAbi(['function mint(address to, uint256 value)'])

export type Position = { lower: number; upper: number; liquidity: bigint; staked?: bigint }

const gas = 25_000_000n

/** Slipstream's contracts on a localnet, with the rights of its fee manager, and its stand-in of a gauge. */
export function createSlipstreamStage(localnet: Pick<Localnet, 'client' | 'contracts'>) {
  const { client, contracts } = localnet
  const { slipstreamDesk: desk, slipstreamFactory: factory, slipstreamFees: module } = contracts
  const encode = (functionName: string, args: readonly unknown[]): Hex =>
    encodeFunctionData({ abi, functionName, args } as never)
  const send = (to: Address, functionName: string, args: readonly unknown[]) =>
    client.execute({ to, data: encode(functionName, args), gas })

  async function manage(to: Address, functionName: string, ...args: unknown[]) {
    await client.impersonateAccount({ address: slipstreamOwner })
    return client.execute({ account: slipstreamOwner, to, data: encode(functionName, args), gas })
  }

  /** The deployer has them in plenty, and the desk may take them. */
  async function createTokens(): Promise<[Address, Address]> {
    const made: Address[] = []
    for (const name of ['One', 'Other']) {
      const token = await deployContract(localnet, readArtifact('Token'), [name, name, 18])
      const data = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [deployer, 2n ** 200n] })
      await client.execute({ to: token, data, gas })
      await send(token, 'approve', [desk, maxUint256])
      made.push(token)
    }
    return made.sort() as [Address, Address]
  }

  return {
    createTokens,
    /** Lets the desk take tokens of the deployer. */
    approve: (token: Address) => send(token, 'approve', [desk, maxUint256]),
    async createPool(
      tokens: readonly [Address, Address],
      tickSpacing: number,
      tick: number,
      positions: readonly Position[] = [],
    ): Promise<Address> {
      const price = sqrtPriceAtTick(tick) + 12_345n
      await send(factory, 'createPool', [...tokens, tickSpacing, price])
      const args = [...tokens, tickSpacing] as const
      const found = await client.readContract({ address: factory, abi, functionName: 'getPool', args })
      const pool = found.toLowerCase() as Address
      const isStaked = positions.some(({ staked }) => staked !== undefined)
      if (isStaked) await send(desk, 'openGauge', [pool])
      for (const { lower, upper, liquidity, staked } of positions) {
        await send(desk, 'mint', [pool, deployer, lower, upper, liquidity])
        if (staked !== undefined) await send(desk, 'stake', [pool, staked, lower, upper])
      }
      if (isStaked) await send(desk, 'reward', [pool, 10n ** 9n, 10n ** 18n, 2n ** 40n])
      return pool
    },

    mint: (pool: Address, lower: number, upper: number, liquidity: bigint) =>
      send(desk, 'mint', [pool, deployer, lower, upper, liquidity]),
    burn: (pool: Address, lower: number, upper: number, liquidity: bigint) =>
      send(desk, 'burn', [pool, deployer, lower, upper, liquidity]),
    sell: (pool: Address, zeroForOne: boolean, amount: bigint) =>
      send(desk, 'sell', [pool, zeroForOne, amount]),
    grow: (pool: Address, observations: number) =>
      send(pool, 'increaseObservationCardinalityNext', [observations]),

    /** Returns what a swap sells and buys at a block; undefined if it reverts. */
    async trySelling(pool: Address, zeroForOne: boolean, amount: bigint, blockNumber?: bigint) {
      const args = [pool, zeroForOne, amount] as const
      const at = blockNumber === undefined ? {} : { blockNumber }
      const call = { account: deployer, address: desk, abi, functionName: 'sell', args, ...at } as const
      const tried = client.simulateContract({ ...call, gas: 10_000_000_000n, gasPrice: 0n })
      const [amount0, amount1] = (await tried.catch(() => undefined))?.result ?? []
      if (amount0 === undefined || amount1 === undefined) return undefined
      return zeroForOne ? { sold: amount0, bought: -amount1 } : { sold: amount1, bought: -amount0 }
    },
    feeOf: (pool: Address, blockNumber: bigint) =>
      client.readContract({ address: pool, abi, functionName: 'fee', blockNumber }),

    setCustomFee: (pool: Address, fee: number, of = module) => manage(of, 'setCustomFee', pool, fee),
    setFeeCap: (pool: Address, cap: number) => manage(module, 'setFeeCap', pool, cap),
    setScalingFactor: (pool: Address, factor: bigint) => manage(module, 'setScalingFactor', pool, factor),
    resetDynamicFee: (pool: Address) => manage(module, 'resetDynamicFee', pool),
    setDefaultFeeCap: (cap: bigint) => manage(module, 'setDefaultFeeCap', cap),
    setDefaultScalingFactor: (factor: bigint) => manage(module, 'setDefaultScalingFactor', factor),
    setSecondsAgo: (seconds: number) => manage(module, 'setSecondsAgo', seconds),
    setFeeModule: (address: Address) => manage(factory, 'setSwapFeeModule', address),
    deployModule: (name: string) =>
      deployContract(localnet, readOldContract(name), name === 'CustomSwapFeeModule' ? [factory] : []),
  }
}
