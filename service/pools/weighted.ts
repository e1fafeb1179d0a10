import { decodeAbiParameters, parseAbiParameters } from 'viem'
import { view } from '../indexer/abiWords.ts'
import { memberPool, scaledBalances } from './balancerPool.ts'
import {
  balanceChanges,
  isVaultBalances,
  isVaultPool,
  listVaultPools,
  payable,
  poolAddress,
  poolCreated,
  readVaultBalances,
  type VaultBalances,
  type VaultPool,
} from './balancerVault.ts'
import { gasCosts } from './gasCosts.ts'
import { laterPowUp, one, powUp } from './math/fixedPoint.ts'
import { maxRatio, weightedOutGivenIn } from './math/weightedMath.ts'
import type { Pool } from './pool.ts'
import type { PoolInfo, PoolType } from './poolType.ts'
import type { Curve } from './priceCurve.ts'
import { isAmount, isList } from './valid.ts'

export type Weights = VaultPool & {
  /** Per token, with 18 decimals; the sum is one. */
  weights: readonly bigint[]
  /** True for pools of 2021, without exact powers of 1, 2 and 4. */
  isEarly: boolean
}

/**
 * Balancer weighted pools: the product of balances to their weights is constant (balancer-v2-monorepo:
 * WeightedMath.sol).
 */
export const weighted: PoolType<Weights, VaultBalances> = {
  created: poolCreated,

  async list(chain, block, logs, factory) {
    const members = await listVaultPools(chain, block, logs, factory, [{ data: getNormalizedWeights() }])
    return members.map(({ listing, isEarly, answers: [answer = '0x'] }) => {
      const [weights] = decodeAbiParameters(weightsShape, answer)
      return { ...listing, fixed: { ...listing.fixed, weights, isEarly } }
    })
  },

  changes: balanceChanges,
  poolOf: poolAddress,
  isExtra: () => true,
  holdings: payable,
  // A pause expires.
  isRestless: ({ isPaused }) => isPaused,

  async read(chain, block, readings) {
    return (await readVaultBalances(chain, block, readings, [])).map(({ custody }) => custody)
  },

  pool: weightedPool,

  isValid(tokenCount, fixed, state) {
    return (
      isVaultPool(tokenCount, fixed) &&
      isList(fixed.weights, 2 * tokenCount, isWeight) &&
      fixed.weights.length >= tokenCount &&
      typeof fixed.isEarly === 'boolean' &&
      isVaultBalances(tokenCount, state)
    )
  },
}

const isWeight = (data: unknown): data is bigint => isAmount(data, 1n, one)

const getNormalizedWeights = view('function getNormalizedWeights()')
const weightsShape = parseAbiParameters('uint256[]')

/** Part of the limit left out as margin for rounding. */
const spare = 1e-3

export function weightedPool(listing: PoolInfo<Weights>, state: VaultBalances): Pool {
  const { weights, scales, isEarly } = listing.fixed
  const balances = scaledBalances(listing.fixed, state)
  const power = isEarly ? powUp : laterPowUp

  function bought(sell: number, buy: number, amount: bigint): bigint {
    const [held, wanted] = [balances[sell], balances[buy]] as [bigint, bigint]
    const [weightIn, weightOut] = [weights[sell], weights[buy]] as [bigint, bigint]
    return weightedOutGivenIn(held, weightIn, wanted, weightOut, amount, power)
  }

  function curve(sell: number, buy: number): Curve {
    const unscaled = (i: number) => Number(balances[i]) / Number(scales[i])
    const keep = 1 - Number(state.fee) / 1e18
    return weightedCurve(unscaled(sell), unscaled(buy), Number(weights[sell]) / Number(weights[buy]), keep)
  }

  return memberPool(listing, state, { bought, curve }, gasCosts.weighted, (changed) =>
    weightedPool(listing, changed),
  )
}

/** out = reserveOut · (1 - (reserveIn / (reserveIn + in))^ratio), where `in` is the input after fee. */
export function weightedCurve(reserveIn: number, reserveOut: number, ratio: number, keep: number): Curve {
  const capacity = ((reserveIn * Number(maxRatio)) / 1e18 / keep) * (1 - spare)
  const start = (keep * ratio * reserveOut) / reserveIn

  return {
    capacity,
    most: -reserveOut * Math.expm1(-ratio * Math.log1p(Number(maxRatio) / 1e18)),
    bought(sold) {
      const used = Math.min(sold, capacity)
      // More precise than 1 - x^y for small inputs.
      return used > 0 ? -reserveOut * Math.expm1(-ratio * Math.log1p((used * keep) / reserveIn)) : 0
    },
    slope(sold) {
      if (sold >= capacity) return 0
      return start * Math.exp(-(ratio + 1) * Math.log1p((sold * keep) / reserveIn))
    },
    soldAt(slope) {
      if (!(slope < start)) return 0
      return Math.min((reserveIn * Math.expm1(Math.log(start / slope) / (ratio + 1))) / keep, capacity)
    },
    steps: () => 0,
  }
}
