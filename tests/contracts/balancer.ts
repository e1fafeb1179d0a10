import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  maxUint256,
  parseAbi,
  parseAbiParameters,
  parseEther,
  parseEventLogs,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import type { Localnet } from '../../dev/localnet.ts'
import { balancer, type Hop } from './fuzz/ask.ts'
import { type Calls, lower } from './fuzz/calls.ts'

export type VaultPool = { pool: Address; aux: Hex }

const abi = parseAbi([
  'event PoolCreated(address indexed pool)',
  'event PoolRegistered(bytes32 indexed poolId, address indexed poolAddress, uint8 specialization)',
  'function create(string name, string symbol, address[] tokens, uint256[] weights, uint256 fee, address owner)',
  'function create(string name, string symbol, address[] tokens, uint256 amplification, uint256 fee, address owner)',
  'function getPoolId() view returns (bytes32)',
  'struct Join { address[] assets; uint256[] maxAmountsIn; bytes userData; bool fromInternalBalance; }',
  'function joinPool(bytes32 poolId, address sender, address recipient, Join request)',
  'struct SingleSwap { bytes32 poolId; uint8 kind; address assetIn; address assetOut; uint256 amount; bytes userData; }',
  'struct Funds { address sender; bool fromInternalBalance; address recipient; bool toInternalBalance; }',
  'function swap(SingleSwap single, Funds funds, uint256 limit, uint256 deadline) returns (uint256)',
  'struct Step { bytes32 poolId; uint256 assetInIndex; uint256 assetOutIndex; uint256 amount; bytes userData; }',
  'function queryBatchSwap(uint8 kind, Step[] steps, address[] assets, Funds funds) returns (int256[])',
  'function registerPool(uint8 specialization) returns (bytes32)',
  'function registerTokens(bytes32 poolId, address[] tokens, address[] managers)',
])

/** Vault callbacks on a two-token pool (IMinimalSwapInfoPool) and on a join. */
export const vaultCues = {
  onSwap: toFunctionSelector(
    'onSwap((uint8,address,address,uint256,bytes32,uint256,address,address,bytes),uint256,uint256)',
  ),
  onJoinPool: toFunctionSelector('onJoinPool(bytes32,address,address,uint256[],uint256,uint256,bytes)'),
}

const fee = parseEther('0.003')

export function createBalancer({ client, contracts }: Localnet, { send, read, ask }: Calls) {
  const owner = client.account.address
  const { vault } = contracts

  async function execute(to: Address, functionName: string, args: unknown[], from: Address = owner) {
    const receipt = await send({ from, to, data: encodeFunctionData({ abi, functionName, args } as never) })
    if (receipt.status !== 'success') throw new Error(`${functionName} reverted.`)
    return receipt
  }

  async function open(factory: Address, amounts: Map<Address, bigint>, extra: unknown): Promise<VaultPool> {
    const tokens = [...amounts.keys()].sort()
    const receipt = await execute(factory, 'create', ['Pool', 'POOL', tokens, extra, fee, zeroAddress])
    const [created] = parseEventLogs({ abi, logs: receipt.logs, eventName: 'PoolCreated' })
    const pool = lower(created!.args.pool)
    const aux = await client.readContract({ address: pool, abi, functionName: 'getPoolId' })
    await join(aux, amounts)
    return { pool, aux }
  }

  async function join(poolId: Hex, amounts: Map<Address, bigint>): Promise<void> {
    const assets = [...amounts.keys()].sort()
    const maxAmountsIn = assets.map((token) => amounts.get(token)!)
    // Kind INIT (0).
    const userData = encodeAbiParameters(parseAbiParameters('uint256, uint256[]'), [0n, maxAmountsIn])
    const approve = parseAbi(['function approve(address, uint256)'])
    for (const token of assets) {
      const standing = await read<bigint>(token, 'allowance', [owner, vault])
      if (standing > 0n) continue
      const args = [vault, maxUint256] as const
      await send({ from: owner, to: token, data: encodeFunctionData({ abi: approve, args }) })
    }
    const request = { assets, maxAmountsIn, userData, fromInternalBalance: false }
    await execute(vault, 'joinPool', [poolId, owner, owner, request])
  }

  return {
    openWeighted(amounts: Map<Address, bigint>): Promise<VaultPool> {
      const weight = parseEther('1') / BigInt(amounts.size)
      const weights = Array.from(amounts, () => weight)
      weights[0] = parseEther('1') - weight * BigInt(amounts.size - 1)
      return open(contracts.weightedFactory, amounts, weights)
    },

    openStable(amounts: Map<Address, bigint>, amplification = 200n): Promise<VaultPool> {
      return open(contracts.stableFactory, amounts, amplification)
    },

    /** `tell` makes `pool` call. */
    async register(
      pool: Address,
      amounts: Map<Address, bigint>,
      tell: (target: Address, data: Hex) => Promise<unknown>,
    ): Promise<VaultPool> {
      const specialization = 1 // two-token callbacks
      const registering = encodeFunctionData({ abi, functionName: 'registerPool', args: [specialization] })
      const aux = await ask({ from: pool, to: vault, data: registering })
      await tell(vault, registering)
      const tokens = [...amounts.keys()].sort()
      const managers = tokens.map(() => zeroAddress)
      await tell(
        vault,
        encodeFunctionData({ abi, functionName: 'registerTokens', args: [aux, tokens, managers] }),
      )
      return { pool, aux }
    },

    join,

    async queryVault(
      { aux: poolId }: VaultPool,
      sell: Address,
      buy: Address,
      amount: bigint,
    ): Promise<bigint> {
      const step = { poolId, assetInIndex: 0n, assetOutIndex: 1n, amount, userData: '0x' as const }
      const { result } = await client.simulateContract({
        ...{ address: vault, abi, functionName: 'queryBatchSwap' },
        args: [0, [step], [sell, buy], funds(owner)],
      })
      return -result[1]!
    },

    vaultSwap(
      { aux: poolId }: VaultPool,
      assetIn: Address,
      assetOut: Address,
      amount: bigint,
      sender: Address,
    ) {
      const single = { poolId, kind: 0, assetIn, assetOut, amount, userData: '0x' as const }
      const args = [single, funds(sender), 0n, maxUint256] as const
      return encodeFunctionData({ abi, functionName: 'swap', args })
    },
  }
}

export function through(pool: VaultPool, from = 0, to = 1): Hop {
  return { kind: balancer, from, to, ...pool }
}

function funds(owner: Address) {
  return { sender: owner, fromInternalBalance: false, recipient: owner, toInternalBalance: false }
}
