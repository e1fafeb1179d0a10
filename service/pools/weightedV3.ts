import { decodeAbiParameters, parseAbiParameters } from 'viem'
import { view } from '../indexer/abiWords.ts'
import { poolCreated } from './balancerVault.ts'
import { gasCosts } from './gasCosts.ts'
import { limitedCurve } from './limitedCurve.ts'
import { one } from './math/fixedPoint.ts'
import { weightedOutGivenIn } from './math/weightedMath.ts'
import type { Pool } from './pool.ts'
import type { PoolInfo, PoolType } from './poolType.ts'
import { isAmount, isList } from './valid.ts'
import {
  isVaultV3Pool,
  isVaultV3State,
  listVaultV3Pools,
  maxPacked,
  readVaultV3,
  type VaultV3Pool,
  type VaultV3State,
  vaultV3Changes,
  vaultV3PoolOf,
} from './vaultV3.ts'
import { liveBalances, memberV3Pool, unitOf } from './vaultV3Pool.ts'
import { weightedCurve } from './weighted.ts'

export type WeightsV3 = VaultV3Pool & {
  /** Per token, with 18 decimals; the sum is one. */
  weights: readonly bigint[]
  /** Least balances with 18 decimals; none in the first version, which rounds the sold balance down too. */
  minBalances: readonly bigint[]
}

/** Weighted pools of Balancer v3 (balancer-v3-monorepo: WeightedPool.sol). */
export const weightedV3: PoolType<WeightsV3, VaultV3State> = {
  created: poolCreated,

  async list(chain, block, logs, factory) {
    const questions = [
      { data: getNormalizedWeights(), mayFail: true },
      { data: getMinTokenBalances(), mayFail: true },
    ]
    const members = await listVaultV3Pools(chain, block, logs, factory, questions)
    return members.flatMap(({ listing, answers: [parts = '0x', least = '0x'] }) => {
      if (parts === '0x') return []
      const [weights] = decodeAbiParameters(amounts, parts)
      const minBalances = least === '0x' ? [] : decodeAbiParameters(amounts, least)[0]
      return [{ ...listing, fixed: { ...listing.fixed, weights, minBalances } }]
    })
  },

  changes: vaultV3Changes,
  poolOf: vaultV3PoolOf,
  factoryOf: ({ fixed }) => fixed.vault,
  isExtra: () => true,
  holdings: ({ isClosed, balances }) => (isClosed ? [] : balances),
  isRestless: ({ isRestless }) => isRestless,

  async read(chain, block, readings) {
    return (await readVaultV3(chain, block, readings, [])).map(({ state }) => state)
  },

  pool: weightedV3Pool,

  isValid(tokenCount, fixed, state) {
    return (
      isVaultV3Pool(tokenCount, fixed) &&
      isList(fixed.weights, tokenCount, isWeight) &&
      fixed.weights.length === tokenCount &&
      isList(fixed.minBalances, tokenCount, isLeast) &&
      (fixed.minBalances.length === 0 || fixed.minBalances.length === tokenCount) &&
      isVaultV3State(tokenCount, state)
    )
  },
}

const isWeight = (data: unknown): data is bigint => isAmount(data, 1n, one)
const isLeast = (data: unknown): data is bigint => isAmount(data, 0n, maxPacked)

const getNormalizedWeights = view('function getNormalizedWeights()')
const getMinTokenBalances = view('function getMinTokenBalances()')
const amounts = parseAbiParameters('uint256[]')

export function weightedV3Pool(listing: PoolInfo<WeightsV3>, state: VaultV3State): Pool {
  const { fixed } = listing
  const { weights, minBalances } = fixed
  const live = liveBalances(fixed, state)

  /** WeightedPool.onSwap */
  function bought(sell: number, buy: number, amount: bigint): bigint {
    const [leastIn, leastOut] = [minBalances[sell], minBalances[buy]]
    const held = (live[sell] as bigint) + (leastIn === undefined ? 0n : 1n)
    const wanted = live[buy] as bigint
    if (held < (leastIn ?? 0n)) throw new RangeError('The sold balance is below its minimum.')
    const out = weightedOutGivenIn(held, weights[sell] as bigint, wanted, weights[buy] as bigint, amount)
    if (wanted - out < (leastOut ?? 0n)) throw new RangeError('The bought balance falls below its minimum.')
    return out
  }

  function curve(sell: number, buy: number) {
    const unscaled = (i: number) => Number(live[i]) / unitOf(fixed, state, i)
    const ratio = Number(weights[sell]) / Number(weights[buy])
    const whole = weightedCurve(unscaled(sell), unscaled(buy), ratio, 1 - Number(state.fee) / 1e18)
    const least = Number(minBalances[buy] ?? 0n) / unitOf(fixed, state, buy)
    return limitedCurve(whole, (sold) => unscaled(buy) - whole.bought(sold) >= least)
  }

  return memberV3Pool(listing, state, { bought, curve }, gasCosts.weightedV3, (changed) =>
    weightedV3Pool(listing, changed),
  )
}
