import { type Abi, encodeFunctionData, type Hex, maxUint256, parseAbi, zeroAddress } from 'viem'
import { readArtifact } from '../../../contracts/artifact.ts'
import { algebraOwner } from '../../../dev/chain/algebra.ts'
import { readBuild } from '../../../dev/chain/artifacts.ts'
import { deployer } from '../../../dev/chain/client.ts'
import type { Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../service/config.ts'
import { highestSqrtPrice, lowestSqrtPrice } from '../../../service/pools/math/sqrtPrice.ts'
import { deployContract } from './deployContract.ts'

/** A pool of the factory; tokens sorted by address. */
export type AlgebraPool = { address: Address; tokens: readonly [Address, Address] }
export type Position = { bottom: number; top: number; liquidity: bigint }
/** `sell` is the index of a token. */
export type Sale = { sell: 0 | 1; amount: bigint }

const factoryAbi = parseAbi([
  'function createPool(address, address, bytes)',
  'function poolByPair(address, address) view returns (address)',
  'function customPoolByPair(address, address, address) view returns (address)',
  'function setDefaultPluginFactory(address)',
  'function CUSTOM_POOL_DEPLOYER() view returns (bytes32)',
  'function grantRole(bytes32, address)',
])
const creatorAbi = parseAbi(['function createCustomPool(address factory, address, address, bytes)'])
const poolAbi = parseAbi([
  'function initialize(uint160)',
  'function setFee(uint16)',
  'function setTickSpacing(int24)',
  'function setPlugin(address)',
  'function setPluginConfig(uint8)',
  'function setCommunityVault(address)',
  'function setCommunityFee(uint16)',
  'function burn(int24, int24, uint128, bytes)',
  'function collect(address, int24, int24, uint128, uint128)',
  'function plugin() view returns (address)',
])
const calleeAbi = parseAbi([
  'function mint(address pool, address to, int24 bottom, int24 top, uint128 amount)',
  'function swapExact0For1(address pool, uint256 amount, address to, uint160 limit)',
  'function swapExact1For0(address pool, uint256 amount, address to, uint160 limit)',
])
const resultAbi = parseAbi([
  'function getSwapResult(address pool, bool zeroToOne, int256 amount, uint160 limit) returns (int256, int256, uint160)',
])
const tokenAbi = parseAbi(['function mint(address, uint256)', 'function approve(address, uint256)'])

const artifacts = '@cryptoalgebra/integral-core/artifacts/contracts/test'

/** Opens pools of Algebra's own contracts on a localnet, and swaps in them. */
export async function createAlgebraStage(localnet: Localnet) {
  const { client, contracts } = localnet
  const results = await deployContract(localnet, readTest('AlgebraPoolSwapTest'), [])
  const spenders = [contracts.algebraCallee, results]

  async function execute(to: Address, abi: Abi, functionName: string, args: unknown[], account = deployer) {
    await client.impersonateAccount({ address: account })
    const data = encodeFunctionData({ abi, functionName, args })
    return client.execute({ account, to, data, gas: 12_000_000n })
  }

  async function createTokens(): Promise<[Address, Address]> {
    const made: Address[] = []
    for (const name of ['A', 'B']) {
      const token = await deployContract(localnet, readArtifact('Token'), [name, name, 18])
      await execute(token, tokenAbi, 'mint', [deployer, 2n ** 200n])
      await approve(token)
      made.push(token)
    }
    return made.sort() as [Address, Address]
  }

  /** Lets the callee pay with the deployer's tokens. */
  async function approve(token: Address): Promise<void> {
    for (const spender of spenders) await execute(token, tokenAbi, 'approve', [spender, maxUint256])
  }

  const factory = { address: contracts.algebraFactory, abi: factoryAbi } as const
  const manage = (pool: Address, name: string, ...args: unknown[]) =>
    execute(pool, poolAbi, name, args, algebraOwner)
  const setPluginFactory = (to: Address) =>
    execute(contracts.algebraFactory, factoryAbi, 'setDefaultPluginFactory', [to], algebraOwner)

  return {
    execute,
    createTokens,
    approve,
    /** Calls `setFee`, `setPlugin` … of a pool as the factory's owner. */
    manage,

    /** Not initialized. */
    async createPool(withPlugin = false, tokens?: readonly [Address, Address]): Promise<AlgebraPool> {
      const pair = tokens ?? (await createTokens())
      if (withPlugin) await setPluginFactory(contracts.algebraPluginFactory)
      await execute(contracts.algebraFactory, factoryAbi, 'createPool', [...pair, '0x'])
      if (withPlugin) await setPluginFactory(zeroAddress)
      const found = await client.readContract({ ...factory, functionName: 'poolByPair', args: [...pair] })
      return { address: found.toLowerCase() as Address, tokens: pair }
    },

    async createCustomPool(tokens: readonly [Address, Address]): Promise<AlgebraPool> {
      const creator = await deployContract(localnet, readTest('MockCustomPoolCreator'), [])
      const role = await client.readContract({ ...factory, functionName: 'CUSTOM_POOL_DEPLOYER' })
      await execute(contracts.algebraFactory, factoryAbi, 'grantRole', [role, creator], algebraOwner)
      const args = [creator, ...tokens] as const
      await execute(creator, creatorAbi, 'createCustomPool', [contracts.algebraFactory, ...tokens, '0x'])
      const found = await client.readContract({ ...factory, functionName: 'customPoolByPair', args })
      return { address: found.toLowerCase() as Address, tokens }
    },

    initialize: (pool: AlgebraPool, sqrtPrice: bigint) =>
      execute(pool.address, poolAbi, 'initialize', [sqrtPrice]),

    mint: (pool: AlgebraPool, { bottom, top, liquidity }: Position) =>
      execute(contracts.algebraCallee, calleeAbi, 'mint', [pool.address, deployer, bottom, top, liquidity]),

    /** `deployer` must own the position. */
    burn: (pool: AlgebraPool, { bottom, top, liquidity }: Position) =>
      execute(pool.address, poolAbi, 'burn', [bottom, top, liquidity, '0x']),

    collect: (pool: AlgebraPool, { bottom, top }: Position) =>
      execute(pool.address, poolAbi, 'collect', [deployer, bottom, top, 2n ** 127n, 2n ** 127n]),

    swap(pool: AlgebraPool, { sell, amount }: Sale, to: Address = deployer) {
      const name = sell === 0 ? 'swapExact0For1' : 'swapExact1For0'
      return execute(contracts.algebraCallee, calleeAbi, name, [pool.address, amount, to, limitOf(sell)])
    },

    /** Returns what swaps pay, each alone at the newest block; 0n for one that the pool cannot fill. */
    async outputs(pool: AlgebraPool, sales: readonly Sale[]): Promise<bigint[]> {
      const outputs: bigint[] = []
      for (const { sell, amount } of sales) {
        const args = [pool.address, sell === 0, amount, limitOf(sell)] as const
        const swap = { address: results, abi: resultAbi, functionName: 'getSwapResult', args } as const
        const paid = await client.simulateContract({ ...swap, account: deployer }).catch(() => undefined)
        const [sold = 0n, bought = 0n] = paid === undefined ? [] : orient(paid.result, sell)
        outputs.push(sold === amount ? -bought : 0n)
      }
      return outputs
    },

    deployPlugin: (pool: AlgebraPool) => deployContract(localnet, readTest('MockPoolPlugin'), [pool.address]),

    /** Sets what the plugin of `deployPlugin` answers. */
    setPluginFees: (plugin: Address, fee: number, extra: number) =>
      execute(plugin, parseAbi(['function setPluginFees(uint24, uint24)']), 'setPluginFees', [fee, extra]),
  }
}

function readTest(name: string): { abi: Abi; bytecode: Hex } {
  return readBuild(`${artifacts}/${name}.sol/${name}.json`)
}

const limitOf = (sell: 0 | 1) => (sell === 0 ? lowestSqrtPrice : highestSqrtPrice)

function orient([amount0, amount1]: readonly [bigint, bigint, bigint], sell: 0 | 1): [bigint, bigint] {
  return sell === 0 ? [amount0, amount1] : [amount1, amount0]
}
