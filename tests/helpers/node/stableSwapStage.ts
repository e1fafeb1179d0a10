import { type Abi, encodeAbiParameters, encodeFunctionData, type Hex, keccak256, numberToHex } from 'viem'
import { readArtifact } from '../../../contracts/artifact.ts'
import { readPackageContract } from '../../../dev/chain/packageContracts.ts'
import type { Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../service/config.ts'
import type { StableSwapState } from '../../../service/pools/stableSwap/stableSwapPool.ts'
import { stableSwapPool } from '../../../service/pools/stableSwap/stableSwapPool.ts'
import { deployContract } from './deployContract.ts'

/** `form` is the router's: 0 and 1 with fixed fees, 2 StableSwap-NG. */
export type StablePlan = {
  form: 0 | 1 | 2
  precision: 1 | 100
  decimals: readonly number[]
  amplification: bigint
  fee: bigint
  offpegMultiplier: bigint
}

export type StagedStable = StablePlan & { address: Address; tokens: readonly Address[]; abi: Abi }

export type StableSale = { sell: number; buy: number; amount: bigint }

const trader: Address = '0x00000000000000000000000000000000007afe1e'
const owner: Address = '0x5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed'

// Storage of dev/contracts/StableSwap.sol and of contracts/test/Token.sol.
const balancesSlot = 3n
const allowancesSlot = 4n

/** Puts pools with any balances on a localnet. */
export function createStableSwapStage(localnet: Pick<Localnet, 'client' | 'contracts'>) {
  const { client } = localnet

  async function createPool(plan: StablePlan): Promise<StagedStable> {
    const tokens: Address[] = []
    for (const places of plan.decimals) {
      tokens.push(await deployContract(localnet, readArtifact('Token'), ['T', 'T', places]))
    }
    const name = (['CurvePool', 'PancakeStablePool', 'CurvePoolNg'] as const)[plan.form]
    const build = readPackageContract(name)
    const common = [owner, tokens, plan.amplification, plan.fee]
    const plain = [tokens.map(() => 0), tokens.map(() => owner)]
    const rest = [[BigInt(plan.precision)], [], [plan.offpegMultiplier, ...plain]][plan.form] as unknown[]
    const address = await deployContract(localnet, build, [...common, ...rest])
    return { ...plan, address, tokens, abi: build.abi }
  }

  return {
    createPool,

    /** Returns what `get_dy` answers; undefined if it reverts. */
    async views(pool: StagedStable, balances: readonly bigint[], sales: readonly StableSale[]) {
      for (const [i, balance] of balances.entries()) {
        await client.setStorageAt({
          ...{ address: pool.address, index: numberToHex(i), value: numberToHex(balance, { size: 32 }) },
        })
      }
      const answers = await client.multicall({
        contracts: sales.map(({ sell, buy, amount }) => ({
          ...{ address: pool.address, abi: pool.abi, functionName: 'get_dy' },
          args: [BigInt(sell), BigInt(buy), amount] as const,
        })),
      })
      return answers.map(({ result }) => result as bigint | undefined)
    },

    /**
     * Sells each alone at the balances: what the seller gets, and the balances that the pool counts after;
     * undefined if it reverts.
     */
    async swap(pool: StagedStable, balances: readonly bigint[], sales: readonly StableSale[]) {
      const blocks = await client.simulateBlocks({
        blocks: sales.map(({ sell, buy, amount }) => ({
          stateOverrides: [
            {
              address: pool.address,
              stateDiff: [
                ...balances.map((value, i) => slot(BigInt(i), value)),
                ...balances.map((_, i) => slot(BigInt(8 + i), 0n)),
              ],
            },
            ...pool.tokens.map((address, i) => ({
              address,
              stateDiff: [
                slot(mapping(pool.address, balancesSlot), balances[i] as bigint),
                slot(mapping(trader, balancesSlot), i === sell ? amount : 0n),
                slot(mapping(pool.address, mapping(trader, allowancesSlot)), amount),
              ],
            })),
          ],
          calls: [
            call(pool.address, pool.abi, 'exchange', [BigInt(sell), BigInt(buy), amount, 0n]),
            call(pool.tokens[buy] as Address, readArtifact('Token').abi, 'balanceOf', [trader]),
            ...balances.map((_, i) => call(pool.address, pool.abi, 'balances', [BigInt(i)])),
          ],
        })),
      })
      return blocks.map(({ calls: [sold, received, ...after] }) => {
        if (sold?.status !== 'success') return undefined
        return { received: BigInt(received?.data ?? 0), after: after.map(({ data }) => BigInt(data)) }
      })
    },
  }
}

/** `exchange` has an overload in NG pools: the first of four arguments. */
function call(to: Address, abi: Abi, functionName: string, args: unknown[]) {
  const data = encodeFunctionData({ abi, functionName, args })
  return { account: trader, to, data, gas: 20_000_000n }
}

function slot(at: bigint | Hex, value: bigint) {
  return {
    slot: typeof at === 'bigint' ? numberToHex(at, { size: 32 }) : at,
    value: numberToHex(value, { size: 32 }),
  }
}

function mapping(key: Address, at: bigint | Hex): Hex {
  return keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [key, BigInt(at)]))
}

/** Returns the service's pool of a staged one. */
export function toStablePool(
  {
    form,
    precision,
    decimals,
    address,
    tokens,
    amplification,
    fee,
    offpegMultiplier,
  }: Omit<StagedStable, 'abi'>,
  balances: readonly bigint[],
  changes: Partial<StableSwapState> = {},
) {
  const fixed = { form, precision, decimals, hasRates: form === 2, isFloating: false, nativeIndex: -1 }
  const kind = (['curve', 'pancake-stable', 'curve-ng'] as const)[form]
  return stableSwapPool(
    { kind, source: 'CURVE', address, tokens, fixed },
    {
      ...{ balances, rates: decimals.map((places) => 10n ** BigInt(36 - places)) },
      ...{ amplification: amplification * BigInt(precision), fee, adminFee: 5_000_000_000n },
      ...{ offpegMultiplier, isJoint: form === 2, isUsable: true, isMoving: false, ...changes },
    },
  )
}
