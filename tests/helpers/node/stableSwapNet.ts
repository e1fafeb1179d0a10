import { type Abi, encodeFunctionData, erc20Abi } from 'viem'
import { expect } from 'vitest'
import { send } from '../../../dev/chain/client.ts'
import { readPackageContract } from '../../../dev/chain/packageContracts.ts'
import { curveOwner } from '../../../dev/chain/stableSwaps.ts'
import type { Localnet } from '../../../dev/localnet.ts'
import { stableSwapPoolAddress, stableSwapPools } from '../../../dev/pools/stableSwapPools.ts'
import type { Address, ChainConfig, Factory } from '../../../service/config.ts'
import { createChain } from '../../../service/indexer/chain.ts'
import type { PoolState } from '../../../service/indexer/poolState.ts'
import type { StableSwapState } from '../../../service/pools/stableSwap/stableSwapPool.ts'
import { followUpdate, readPools } from '../service/poolStates.ts'

/** Factories of the localnet. */
export const stableSwapFactories = {
  curve: 'curveRegistry',
  'curve-factory': 'curveFactory',
  'curve-ng': 'curveFactoryNg',
  'pancake-stable': 'pancakeStableFactory',
} as const

export type StableSwapKind = keyof typeof stableSwapFactories
export const stableSwapKinds = Object.keys(stableSwapFactories) as StableSwapKind[]

const contracts = {
  curve: 'CurvePool',
  'curve-factory': 'CurvePool',
  'curve-ng': 'CurvePoolNg',
  'pancake-stable': 'PancakeStablePool',
}

export type StableSwapNet = ReturnType<typeof createStableSwapNet>

/** Follows and changes the StableSwap pools of a localnet, with a config of their factories alone. */
export function createStableSwapNet(localnet: Localnet) {
  const { client, tokens } = localnet
  const chain = createChain(localnet.rpcUrl, localnet.config.multicall)
  const factories = stableSwapKinds.map((kind): Factory => {
    const address = localnet.contracts[stableSwapFactories[kind]]
    return { kind, source: kind, title: kind, address, feePpm: 0, fromBlock: 0 }
  })
  const config: ChainConfig = { ...localnet.config, factories }

  const abiOf = (kind: StableSwapKind) => readPackageContract(contracts[kind]).abi
  const planOf = (kind: StableSwapKind) =>
    stableSwapPools.find(({ factory }) => factory === stableSwapFactories[kind])!
  const poolOf = (kind: StableSwapKind) => stableSwapPoolAddress(planOf(kind))

  const readAll = () => readPools(config, chain)
  /** Sorted by address. */
  const pools = (ledger: PoolState) =>
    [...(ledger.whole()?.pools ?? [])].sort((a, b) => (a.listing.address < b.listing.address ? -1 : 1))

  const call = (to: Address, abi: Abi, functionName: string, args: unknown[]) =>
    send(client, { to, data: encodeFunctionData({ abi, functionName, args }) })

  const approve = (token: Address, spender: Address, amount: bigint) =>
    call(token, erc20Abi, 'approve', [spender, amount])

  return {
    abiOf,
    planOf,
    poolOf,
    follow: (ledger: PoolState) => followUpdate(ledger, config, chain),
    readAll,
    pools,
    call,
    pay: (token: Address, to: Address, amount: bigint) => call(token, erc20Abi, 'transfer', [to, amount]),
    stateOf: (ledger: PoolState, pool: Address) => ledger.standing(pool)?.state as StableSwapState,

    /** Compares with a complete read. */
    async expectFollowed(ledger: PoolState): Promise<void> {
      expect(pools(ledger)).toEqual(pools(await readAll()))
    },

    /** A transaction of the pools' owner. */
    async manage(to: Address, abi: Abi, functionName: string, args: unknown[] = []) {
      await client.impersonateAccount({ address: curveOwner })
      const data = encodeFunctionData({ abi, functionName, args })
      return client.execute({ account: curveOwner, to, data, gas: 10_000_000n })
    },

    async trade(kind: StableSwapKind, sell: number, buy: number, amount: bigint) {
      await approve(tokens[planOf(kind).tokens[sell]!], poolOf(kind), amount)
      await call(poolOf(kind), abiOf(kind), 'exchange', [BigInt(sell), BigInt(buy), amount, 0n])
    },

    async addLiquidity(pool: Address, coins: readonly Address[], amounts: readonly bigint[]) {
      for (const [i, token] of coins.entries()) await approve(token, pool, amounts[i]!)
      await call(pool, abiOf('curve-ng'), 'add_liquidity', [amounts, 0n])
    },
  }
}
