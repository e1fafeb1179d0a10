import type { Address } from '../config.ts'
import type { Pricing } from './balancerPool.ts'
import { emptyCurve, unlessRefused } from './balancerPool.ts'
import { yieldDrift } from './drift.ts'
import { divDown, mulDown, mulUp, one } from './math/fixedPoint.ts'
import { toUint } from './math/uint.ts'
import type { Pool } from './pool.ts'
import type { PoolInfo } from './poolType.ts'
import type { Curve } from './priceCurve.ts'
import { maxPacked, type VaultV3Pool, type VaultV3State } from './vaultV3.ts'

/** Balances with 18 decimals and rates, rounded down (PoolDataLib.updateRawAndLiveBalance). */
export function liveBalances({ scales }: VaultV3Pool, { balances, rates }: VaultV3State): bigint[] {
  return balances.map((balance, i) => toScaled(balance, scales[i] as bigint, rates[i] as bigint))
}

/** Base units per unit with 18 decimals and rate. */
export function unitOf({ scales }: VaultV3Pool, { rates }: VaultV3State, token: number): number {
  return (Number(scales[token]) * Number(rates[token])) / 1e18
}

/** ScalingHelpers.toScaled18ApplyRateRoundDown */
function toScaled(amount: bigint, scale: bigint, rate: bigint): bigint {
  return toUint(amount * scale * rate) / one
}

/** ScalingHelpers.computeRateRoundUp: rates may be rounded down. */
function rateUp(rate: bigint): bigint {
  return rate % one === 0n ? rate : rate + 1n
}

/** Part of an input that leaves the pool (Vault._computeAndChargeAggregateSwapFees). */
export function aggregateFeeOf(
  { scales }: VaultV3Pool,
  { rates, fee, aggregateFee }: VaultV3State,
  token: number,
  amount: bigint,
): bigint {
  const [scale, rate] = [scales[token], rates[token]] as [bigint, bigint]
  const charged = mulUp(toScaled(amount, scale, rate), fee)
  return mulDown(divDown(charged, scale * rate), aggregateFee)
}

type Swapped = { bought: bigint; balances: readonly bigint[] }

/**
 * Creates a pool held by the v3 vault; `withState` creates the same pool with other balances. The vault takes
 * the fee from the input, rounds against the swapper, and keeps its part of the fee out of the pool.
 */
export function memberV3Pool<State extends VaultV3State>(
  { address, source, tokens, fixed }: PoolInfo<VaultV3Pool>,
  state: State,
  { bought, curve }: Pricing,
  hopGas: bigint,
  withState: (state: State) => Pool,
): Pool {
  const { balances, rates, fee, isClosed } = state
  const curves = new Map<number, Curve>()

  /** Vault._swap with SwapKind.EXACT_IN. Throws a RangeError where it reverts. */
  function swap(from: number, to: number, amount: bigint): Swapped {
    const [scaleIn, rateIn] = [fixed.scales[from], rates[from]] as [bigint, bigint]
    const [scaleOut, rateOut] = [fixed.scales[to], rates[to]] as [bigint, bigint]
    const given = toScaled(amount, scaleIn, rateIn)
    const kept = given - mulUp(given, fee)
    const calculated = bought(from, to, atLeast(fixed.minTrade, kept))
    const paid = divDown(atLeast(fixed.minTrade, calculated), scaleOut * rateUp(rateOut))
    const left = aggregateFeeOf(fixed, state, from, amount)
    const changed = balances.map((balance, i) => {
      return i === from ? balance + amount - left : i === to ? balance - paid : balance
    })
    const live = liveBalances(fixed, { ...state, balances: changed })
    const isPackable = [...changed, ...live].every((balance) => balance >= 0n && balance <= maxPacked)
    if (!isPackable) throw new RangeError('A balance is out of the bounds of 128 bits.')
    return { bought: paid, balances: changed }
  }

  function trySwap(sell: Address, buy: Address, amount: bigint): Swapped {
    const [from, to] = [tokens.indexOf(sell), tokens.indexOf(buy)]
    const none = { bought: 0n, balances }
    if (isClosed || amount <= 0n || amount > maxPacked) return none
    return unlessRefused(() => swap(from, to, amount), none)
  }

  return {
    address,
    holder: fixed.vault,
    source,
    tokens,
    ...(state.isRestless ? { drift: yieldDrift } : {}),
    quote: (sell, buy, amount) => trySwap(sell, buy, amount).bought,

    curve(sell, buy) {
      const [from, to] = [tokens.indexOf(sell), tokens.indexOf(buy)]
      const known = curves.get(from * tokens.length + to)
      if (known) return known
      const isEmpty = isClosed || balances[from] === 0n || balances[to] === 0n
      const fresh = isEmpty ? emptyCurve : unlessRefused(() => curve(from, to), emptyCurve)
      curves.set(from * tokens.length + to, fresh)
      return fresh
    },

    after: (sell, buy, sold) => withState({ ...state, balances: trySwap(sell, buy, sold).balances }),
    gas: () => hopGas,
    encode: () => ({ kind: 8, fee: 0 }),
  }
}

/** Vault._ensureValidSwapAmount */
function atLeast(minTrade: bigint, amount: bigint): bigint {
  if (amount < minTrade) throw new RangeError('The amount is below the least trade of the vault.')
  return amount
}
