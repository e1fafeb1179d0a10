import { decodeAbiParameters, type Hex, parseAbi, parseAbiParameters } from 'viem'
import type { Address } from '../config.ts'
import { view, words } from '../indexer/abiWords.ts'
import { toLowerAddress } from '../indexer/address.ts'
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
import { yieldDrift } from './drift.ts'
import { type GasPart, gasCosts } from './gasCosts.ts'
import { computeInvariant, computeLegacyInvariant, outGivenIn } from './math/stableMath.ts'
import type { Pool } from './pool.ts'
import type { PoolInfo, PoolType } from './poolType.ts'
import { stableCurve } from './stableCurve.ts'
import { isRates, type Rates, ratedTokens, readRates } from './tokenRates.ts'
import { isAddress, isAmount, isList } from './valid.ts'

export type Version = VaultPool & {
  /** True for pools of 2021 with another invariant, rounded up. */
  isEarly: boolean
  /** Of composable pools, whose shares are among their tokens in the Vault: per token, zero without rate. */
  rateProviders?: readonly Address[]
}

export type Amplified = VaultBalances & {
  /** A·n^(n-1) in thousandths. */
  amplification: bigint
  isMoving: boolean
  /** Of composable pools. */
  rates?: Rates
}

/** Balancer stable pools, also composable ones (balancer-v2-monorepo). */
export const stable: PoolType<Version, Amplified> = {
  created: poolCreated,

  async list(chain, block, logs, factory) {
    const questions = [getRateProviders(), inRecoveryMode()].map((data) => ({ data, mayFail: true }))
    const isComposable = ([providers]: readonly Hex[]) => providers !== undefined && providers !== '0x'
    const members = await listVaultPools(chain, block, logs, factory, questions, isComposable)
    return members.flatMap(({ listing, registered, answers: [providers = '0x', recovery = '0x'] }) => {
      // Recovery mode exists since 2022.
      const isEarly = recovery === '0x'
      const fixed = { ...listing.fixed, isEarly }
      if (providers === '0x') return [{ ...listing, fixed }]
      // Pools of 2021 cache rates in another way.
      if (isEarly) return []
      const [all] = decodeAbiParameters(parseAbiParameters('address[]'), providers)
      const rateProviders = all.map(toLowerAddress).filter((_, i) => registered[i] !== listing.address)
      return [{ ...listing, fixed: { ...fixed, rateProviders } }]
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
  isExtra: () => true,
  holdings: payable,
  // A pause expires.
  isRestless: ({ isPaused, isMoving, rates }) => isPaused || isMoving || rates?.isRestless === true,

  async read(chain, block, readings) {
    const [read, rates] = await Promise.all([
      readVaultBalances(chain, block, readings, [getAmplificationParameter()]),
      readRates(
        chain,
        block,
        readings.map(({ listing }) => listing),
      ),
    ])
    return read.map(({ custody, answers: [answer = '0x'] }, i) => {
      const [amplification = 0n, moving = 0n] = words(answer)
      const state = { ...custody, amplification, isMoving: moving === 1n }
      return rates[i] === undefined ? state : { ...state, rates: rates[i] }
    })
  },

  pool: stablePool,

  isValid(tokenCount, fixed, state) {
    return (
      isVaultPool(tokenCount, fixed) &&
      typeof fixed.isEarly === 'boolean' &&
      isVaultBalances(tokenCount, state) &&
      isAmount(state.amplification, 0n, 2n ** 64n) &&
      typeof state.isMoving === 'boolean' &&
      (fixed.rateProviders === undefined
        ? state.rates === undefined
        : isList(fixed.rateProviders, tokenCount, isAddress) &&
          fixed.rateProviders.length === tokenCount &&
          isRates(tokenCount, state.rates))
    )
  },
}

const getRateProviders = view('function getRateProviders()')
const inRecoveryMode = view('function inRecoveryMode()')
const getAmplificationParameter = view('function getAmplificationParameter()')

export function stablePool(listing: PoolInfo<Version>, state: Amplified): Pool {
  const { fixed } = listing
  const { amplification } = state
  const rates = state.rates?.used
  let known: { balances: bigint[]; invariant: bigint } | undefined

  /** Throws a RangeError where the contract reverts. */
  function held(): { balances: bigint[]; invariant: bigint } {
    if (known) return known
    const balances = scaledBalances(fixed, state, rates)
    const invariant = (fixed.isEarly ? computeLegacyInvariant : computeInvariant)(amplification, balances)
    known = { balances, invariant }
    return known
  }

  const unitOf = (token: number) => Number(fixed.scales[token]) * (rates ? Number(rates[token]) / 1e18 : 1)
  const pricing = {
    rates,

    bought(sell: number, buy: number, amount: bigint) {
      const { balances, invariant } = held()
      return outGivenIn(amplification, balances, invariant, sell, buy, amount)
    },

    curve: (sell: number, buy: number) =>
      stableCurve({
        ...{ amplification, ...held(), sell, buy },
        keep: 1 - Number(state.fee) / 1e18,
        scaleIn: unitOf(sell),
        scaleOut: unitOf(buy),
      }),
  }
  const { rateProviders } = fixed
  if (!rateProviders || !state.rates) {
    const plain = memberPool(listing, state, pricing, gasCosts.stable, (changed) =>
      stablePool(listing, changed),
    )
    return state.isMoving ? { ...plain, drift: yieldDrift } : plain
  }
  const { expired, isRestless } = state.rates
  const rated = ratedTokens(rateProviders).length
  const parts: GasPart[] = [
    'composable',
    ...Array<GasPart>(fixed.scales.length - 2).fill('composableToken'),
    ...Array<GasPart>(rated).fill('tokenRate'),
    ...Array<GasPart>(expired).fill('newRate'),
  ]
  const gas = parts.reduce((sum, part) => sum + gasCosts[part], 0n)
  const renewed = { ...state.rates, expired: 0 }
  const pool = memberPool(listing, state, pricing, gas, (changed) =>
    stablePool(listing, { ...changed, rates: renewed }),
  )
  return {
    ...pool,
    steps: () => ({ crossed: [], words: 0, parts: [parts, 'tick'] }),
    lateGas: BigInt(rated) * lateRateGas,
    ...(isRestless || state.isMoving ? { drift: yieldDrift } : {}),
  }
}

/** Of a cache that expires before the swap is executed, or of a provider that asks several contracts. */
const lateRateGas = 60_000n
