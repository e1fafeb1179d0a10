import {
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import { readArtifact } from '../../../contracts/artifact.ts'
import { deployer } from '../../../dev/chain/client.ts'
import { solidlyOwner } from '../../../dev/chain/deploy.ts'
import type { Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../service/config.ts'
import { solidly } from '../../../service/pools/solidly.ts'
import { deployContract } from './deployContract.ts'

/** A pool of the factory, with tokens of its own, sorted by address. */
export type StagedPool = {
  address: Address
  tokens: readonly [Address, Address]
  decimals: readonly [number, number]
  isStable: boolean
}

export type Reserves = readonly [bigint, bigint]
/** `sell` is the index of a token. */
export type Sale = { sell: 0 | 1; amount: bigint }

const factoryAbi = parseAbi([
  'function createPool(address, address, bool)',
  'function getPool(address, address, bool) view returns (address)',
  'function setCustomFee(address, uint256)',
  'function setFee(bool, uint256)',
  'function setPauseState(bool)',
])
const poolAbi = parseAbi([
  'function getAmountOut(uint256, address) view returns (uint256)',
  'function swap(uint256, uint256, address, bytes)',
])
const tokenAbi = parseAbi([
  'function transfer(address, uint256)',
  'function balanceOf(address) view returns (uint256)',
])

const trader: Address = '0x00000000000000000000000000000000007afe1e'
const recipient: Address = '0x00000000000000000000000000000000007afe1f'

// Storage of Pool.sol and of contracts/test/Token.sol.
const supplySlot = 2n
const reserveSlots = [19n, 20n] as const
const balancesSlot = 3n

/** Puts pools of any reserves, decimals and fee on a localnet. */
export function createSolidlyStage(localnet: Pick<Localnet, 'client' | 'contracts'>) {
  const { client } = localnet
  const factory = localnet.contracts.solidlyFactory

  /** A transaction of the factory's fee manager and pauser. */
  async function manage(data: Hex) {
    await client.impersonateAccount({ address: solidlyOwner })
    return client.execute({ account: solidlyOwner, to: factory, data, gas: 1_000_000n })
  }

  async function createPool(decimals: readonly [number, number], isStable: boolean): Promise<StagedPool> {
    const made = []
    for (const places of decimals) {
      made.push(await deployContract(localnet, readArtifact('Token'), ['T', 'T', places]))
    }
    const [one, other] = made as [Address, Address]
    const args = [one, other, isStable] as const
    const data = encodeFunctionData({ abi: factoryAbi, functionName: 'createPool', args })
    await client.execute({ to: factory, data, gas: 5_000_000n })
    const read = { address: factory, abi: factoryAbi } as const
    const address = await client.readContract({ ...read, functionName: 'getPool', args })
    const isSorted = one < other
    return {
      address: address.toLowerCase() as Address,
      tokens: isSorted ? [one, other] : [other, one],
      decimals: isSorted ? decimals : [decimals[1], decimals[0]],
      isStable,
    }
  }

  return {
    createPool,
    setCustomFee: (pool: Address, fee: bigint) =>
      manage(encodeFunctionData({ abi: factoryAbi, functionName: 'setCustomFee', args: [pool, fee] })),
    setFee: (isStable: boolean, fee: bigint) =>
      manage(encodeFunctionData({ abi: factoryAbi, functionName: 'setFee', args: [isStable, fee] })),
    setPauseState: (isPaused: boolean) =>
      manage(encodeFunctionData({ abi: factoryAbi, functionName: 'setPauseState', args: [isPaused] })),

    /** Returns what `getAmountOut` answers; undefined if it reverts. */
    async amountsOut(pool: StagedPool, reserves: Reserves, sales: readonly Sale[]) {
      for (const i of [0, 1] as const) {
        const [index, value] = [numberToHex(reserveSlots[i]), numberToHex(reserves[i], { size: 32 })]
        await client.setStorageAt({ address: pool.address, index, value })
      }
      const answers = await client.multicall({
        contracts: sales.map(({ sell, amount }) => ({
          ...{ address: pool.address, abi: poolAbi, functionName: 'getAmountOut' },
          args: [amount, pool.tokens[sell]] as const,
        })),
      })
      return answers.map(({ result }) => result as bigint | undefined)
    },

    /** Returns whether swaps for the outputs succeed, each alone at the reserves, and what arrives. */
    async swap(pool: StagedPool, reserves: Reserves, sales: readonly (Sale & { bought: bigint })[]) {
      const blocks = await client.simulateBlocks({
        blocks: sales.map(({ sell, amount, bought }) => ({
          stateOverrides: [
            {
              address: pool.address,
              stateDiff: [
                slot(supplySlot, 10n ** 18n),
                ...reserves.map((value, i) => slot(reserveSlots[i as 0 | 1], value)),
              ],
            },
            ...pool.tokens.map((address, i) => ({
              address,
              stateDiff: [
                slot(balanceSlot(pool.address), reserves[i as 0 | 1]),
                slot(balanceSlot(trader), amount),
                slot(balanceSlot(recipient), 0n),
              ],
            })),
          ],
          calls: [
            call(pool.tokens[sell], tokenAbi, 'transfer', [pool.address, amount]),
            call(pool.address, poolAbi, 'swap', [
              sell === 0 ? 0n : bought,
              sell === 0 ? bought : 0n,
              recipient,
              '0x',
            ]),
            call(pool.tokens[sell === 0 ? 1 : 0], tokenAbi, 'balanceOf', [recipient]),
          ],
        })),
      })
      return blocks.map(({ calls }) => ({
        succeeds: calls[1]?.status === 'success',
        received: BigInt(calls[2]?.data ?? '0x0'),
      }))
    },
  }
}

function call(to: Address, abi: typeof tokenAbi | typeof poolAbi, functionName: string, args: unknown[]) {
  return {
    account: trader,
    to,
    data: encodeFunctionData({ abi, functionName, args } as never),
    gas: 5_000_000n,
  }
}

function slot(at: bigint | Hex, value: bigint) {
  return {
    slot: typeof at === 'bigint' ? numberToHex(at, { size: 32 }) : at,
    value: numberToHex(value, { size: 32 }),
  }
}

function balanceSlot(owner: Address): Hex {
  return keccak256(encodeAbiParameters(parseAbiParameters('address, uint256'), [owner, balancesSlot]))
}

/** Returns the service's pool of a staged one. */
export function toSolidlyPool(
  { address, tokens, decimals, isStable }: StagedPool,
  [reserve0, reserve1]: Reserves,
  fee: number,
  isPaused = false,
) {
  const units = [10n ** BigInt(decimals[0]), 10n ** BigInt(decimals[1])] as const
  const factory: Address = '0x00000000000000000000000000000000000000fa'
  const listing = { kind: 'solidly', source: 'AERODROME_V2', address, tokens } as const
  return solidly.pool(
    { ...listing, fixed: { factory, isStable, units } },
    { reserve0, reserve1, fee, isPaused },
  )
}

/**
 * Opens a Solidly pool, whose factory's fee is the default, that holds `amounts` of two tokens; the deployer
 * gets what it needs of them. Returns its address.
 */
export async function openSolidlyPool(
  localnet: Pick<Localnet, 'client' | 'contracts'>,
  tokens: readonly [Address, Address],
  amounts: readonly [bigint, bigint],
  isStable: boolean,
): Promise<Address> {
  const { client, contracts } = localnet
  const abi = [...factoryAbi, ...tokenAbi, ...parseAbi(['function mint(address)'])]
  const send = (to: Address, functionName: string, args: unknown[]) =>
    client.execute({ to, data: encodeFunctionData({ abi, functionName, args } as never), gas: 5_000_000n })
  await send(contracts.solidlyFactory, 'createPool', [...tokens, isStable])
  const read = { address: contracts.solidlyFactory, abi: factoryAbi, functionName: 'getPool' } as const
  const pool = await client.readContract({ ...read, args: [...tokens, isStable] })
  for (const [i, token] of tokens.entries()) await send(token, 'transfer', [pool, amounts[i]])
  await send(pool, 'mint', [deployer])
  return pool.toLowerCase() as Address
}
