import { decodeAbiParameters, type Hex, parseAbi, parseAbiParameters } from 'viem'
import { view, words } from '../indexer/abiWords.ts'
import { memberPool, scaledBalances } from './balancerPool.ts'
import {
  balanceChanges,
  isVaultBalances,
  isVaultPool,
  listVaultPools,
  poolAddress,
  poolCreated,
  readVaultBalances,
  type VaultBalances,
  type VaultPool,
} from './balancerVault.ts'
import { gasCosts } from './gasCosts.ts'
import { computeInvariant, computeLegacyInvariant, outGivenIn } from './math/stableMath.ts'
import type { Pool } from './pool.ts'
import type { PoolInfo, PoolType } from './poolType.ts'
import { stableCurve } from './stableCurve.ts'
import { isAmount } from './valid.ts'

export type Version = VaultPool & {
  /** True for pools of 2021 with another invariant, rounded up. */
  isEarly: boolean
}

export type Amplified = VaultBalances & {
  /** A·n^(n-1) in thousandths. */
  amplification: bigint
  isMoving: boolean
}

/** Balancer stable pools (balancer-v2-monorepo: StableMath.sol). */
export const stable: PoolType<Version, Amplified> = {
  created: poolCreated,

  async list(chain, block, logs, factory) {
    const questions = [getRateProviders(), inRecoveryMode()].map((data) => ({ data, mayFail: true }))
    const members = await listVaultPools(chain, block, logs, factory, questions)
    return members.flatMap(({ listing, answers: [providers = '0x', recovery = '0x'] }) => {
      // Recovery mode exists since 2022.
      const isEarly = recovery === '0x'
      return hasRates(providers, isEarly) ? [] : [{ ...listing, fixed: { ...listing.fixed, isEarly } }]
    })
  },

  changes: [
    ...balanceChanges,
    ...parseAbi([
      'event AmpUpdateStarted(uint256 startValue, uint256 endValue, uint256 startTime, uint256 endTime)',
      'event AmpUpdateStopped(uint256 currentValue)',
    ]),
  ],
  poolOf: poolAddress,
  // A pause expires.
  isRestless: ({ isPaused, isMoving }) => isPaused || isMoving,

  async read(chain, block, readings) {
    const read = await readVaultBalances(chain, block, readings, [getAmplificationParameter()])
    return read.map(({ custody, answers: [answer = '0x'] }) => {
      const [amplification = 0n, moving = 0n] = words(answer)
      return { ...custody, amplification, isMoving: moving === 1n }
    })
  },

  pool: stablePool,

  isValid(tokenCount, fixed, state) {
    return (
      isVaultPool(tokenCount, fixed) &&
      typeof fixed.isEarly === 'boolean' &&
      isVaultBalances(tokenCount, state) &&
      isAmount(state.amplification, 0n, 2n ** 64n) &&
      typeof state.isMoving === 'boolean'
    )
  },
}

const getRateProviders = view('function getRateProviders()')
const inRecoveryMode = view('function inRecoveryMode()')
const getAmplificationParameter = view('function getAmplificationParameter()')

/** External rates change without events, so such pools are skipped; of 2021 all that support rates. */
function hasRates(answer: Hex, isEarly: boolean): boolean {
  if (answer === '0x') return false
  const [providers] = decodeAbiParameters(parseAbiParameters('address[]'), answer)
  return isEarly || providers.some((provider) => BigInt(provider) !== 0n)
}

export function stablePool(listing: PoolInfo<Version>, state: Amplified): Pool {
  const { fixed } = listing
  const { amplification } = state
  const balances = scaledBalances(fixed, state)
  let known: bigint | undefined

  function invariant(): bigint {
    known ??= (fixed.isEarly ? computeLegacyInvariant : computeInvariant)(amplification, balances)
    return known
  }

  const pricing = {
    bought: (sell: number, buy: number, amount: bigint) =>
      outGivenIn(amplification, balances, invariant(), sell, buy, amount),

    curve: (sell: number, buy: number) =>
      stableCurve({
        ...{ amplification, balances, invariant: invariant(), sell, buy },
        keep: 1 - Number(state.fee) / 1e18,
        scaleIn: Number(fixed.scales[sell]),
        scaleOut: Number(fixed.scales[buy]),
      }),
  }
  return memberPool(listing, state, pricing, gasCosts.stable, (changed) => stablePool(listing, changed))
}
