import { maxUint256 } from 'viem'
import type { Address } from '../../config.ts'
import { nativeTokenAddress } from '../../tokens/registry.ts'
import { emptyCurve, unlessRefused } from '../balancerPool.ts'
import { yieldDrift } from '../drift.ts'
import { gasCosts } from '../gasCosts.ts'
import type { Pool } from '../pool.ts'
import type { PoolInfo } from '../poolType.ts'
import type { Curve } from '../priceCurve.ts'
import { stableCurve } from '../stableCurve.ts'
import { isAmount, isInteger, isList, isRecord } from '../valid.ts'
import {
  dynamicFee,
  exchange,
  feeDenominator,
  invariantOf,
  type StableSwapExchange,
  type StableSwapNumbers,
  scaledBalances,
} from './stableSwapMath.ts'

export type StableSwapInfo = {
  /** Of `exchange`: 0 with int128 indexes, 1 with uint256 ones, 2 as 0 with a recipient (StableSwap-NG). */
  form: number
  /** Parts of one in A: 100, or 1 in pools of 2020. */
  precision: number
  /** Per token, up to 18. */
  decimals: readonly number[]
  /** True if the pool has `stored_rates`. */
  hasRates: boolean
  /** True if balances or rates may change without an event of the pool. */
  isFloating: boolean
  /** Index of the native token, in whose place `tokens` has the wrapped one; -1 without. */
  nativeIndex: number
}

export type StableSwapState = Omit<StableSwapNumbers, 'precision' | 'isNg'> & {
  /** False if the pool is killed, or its own view answers otherwise than our arithmetic. */
  isUsable: boolean
  /** True while the numbers change from block to block. */
  isMoving: boolean
}

export type StableSwap = Pool & {
  /** Returns the state after a swap that `quote` fills. */
  stateAfter(sell: Address, buy: Address, sold: bigint): StableSwapState
}

/** In calldata: contracts/ISwapRouter.sol. */
const hopKind = 6
export const ngForm = 2
export const maxTokens = 8

/** Returns the most tokens of a pool that is followed: events of classic pools are known for up to four. */
export const maxTokensOf = (form: number) => (form === ngForm ? maxTokens : 4)

const nothing: StableSwapExchange = { bought: 0n, adminFee: 0n }

/** Above, the arithmetic of the contracts overflows for large inputs. */
const maxInvariant = 2n ** 120n

/** Returns a pool of Curve's or PancakeSwap's StableSwap; one of the native token knows it by either name. */
export function stableSwapPool(listing: PoolInfo<StableSwapInfo>, state: StableSwapState): StableSwap {
  const { address, source, tokens, fixed } = listing
  const numbers: StableSwapNumbers = {
    ...state,
    isNg: fixed.form === ngForm,
    precision: BigInt(fixed.precision),
  }
  const indexOf = (token: Address) =>
    token === nativeTokenAddress ? fixed.nativeIndex : tokens.indexOf(token)
  const curves = new Map<number, Curve>()
  let known: bigint | undefined

  function invariant(): bigint {
    known ??= invariantOf(numbers, scaledBalances(numbers))
    return known
  }

  function sell(from: Address, to: Address, amount: bigint): StableSwapExchange {
    const isSale = state.isUsable && amount > 0n
    const sale = () => exchange(numbers, invariant(), indexOf(from), indexOf(to), amount)
    return isSale ? unlessRefused(sale, nothing) : nothing
  }

  function stateAfter(from: Address, to: Address, sold: bigint): StableSwapState {
    const { bought, adminFee } = sell(from, to, sold)
    const changes = new Map([[indexOf(from), sold] as const, [indexOf(to), -bought - adminFee] as const])
    return { ...state, balances: state.balances.map((balance, i) => balance + (changes.get(i) ?? 0n)) }
  }

  function createCurve(from: number, to: number): Curve {
    const balances = scaledBalances(numbers)
    if (!state.isUsable || balances.includes(0n) || invariant() > maxInvariant) return emptyCurve
    const keep = 1 - Number(lowestFee(balances, from, to)) / Number(feeDenominator)
    return stableCurve({
      ...{ balances, invariant: invariant(), sell: from, buy: to, keep: 1 },
      amplification: (state.amplification * 1_000n) / numbers.precision,
      scaleIn: Number(state.rates[from]) / 1e18,
      // The fee is taken from the output.
      scaleOut: Number(state.rates[to]) / 1e18 / keep,
    })
  }

  /** On the way of any amount: the curve stays concave and above the pool. It is dynamic in NG pools. */
  function lowestFee(balances: readonly bigint[], from: number, to: number): bigint {
    const [heldIn, heldOut] = [balances[from] as bigint, balances[to] as bigint]
    return heldIn < heldOut ? state.fee : dynamicFee(state, heldIn, heldOut)
  }

  return {
    address,
    source,
    tokens,
    ...(fixed.nativeIndex >= 0 ? { isNative: true } : {}),
    ...(state.isMoving ? { drift: yieldDrift } : {}),
    quote: (from, to, amount) => sell(from, to, amount).bought,

    curve(from, to) {
      const key = indexOf(from) * tokens.length + indexOf(to)
      const known = curves.get(key)
      if (known) return known
      const fresh = unlessRefused(() => createCurve(indexOf(from), indexOf(to)), emptyCurve)
      curves.set(key, fresh)
      return fresh
    },

    after: (from, to, sold) => stableSwapPool(listing, stateAfter(from, to, sold)),
    stateAfter,

    gas: () =>
      (numbers.isNg ? gasCosts.stableSwapNg : gasCosts.stableSwap) +
      gasCosts.stableSwapToken * BigInt(tokens.length - 2),
    encode: (from, to) => ({
      ...{ kind: hopKind, fee: 0 },
      detail: BigInt(fixed.form * 2 ** 16 + indexOf(from) * 2 ** 8 + indexOf(to)),
    }),
  }
}

/** Validates untrusted data. */
export function isStableSwap(tokenCount: number, fixed: unknown, state: unknown): boolean {
  const isWhole = (list: unknown, isMember: (data: unknown) => data is bigint) =>
    isList(list, tokenCount, isMember) && list.length === tokenCount
  return (
    tokenCount >= 2 &&
    isRecord(fixed) &&
    isInteger(fixed.form, 0, ngForm) &&
    tokenCount <= maxTokensOf(fixed.form as number) &&
    (fixed.precision === 1 || fixed.precision === 100) &&
    isList(fixed.decimals, tokenCount, isDecimals) &&
    fixed.decimals.length === tokenCount &&
    typeof fixed.hasRates === 'boolean' &&
    typeof fixed.isFloating === 'boolean' &&
    isInteger(fixed.nativeIndex, -1, tokenCount - 1) &&
    isRecord(state) &&
    isWhole(state.balances, isBalance) &&
    isWhole(state.rates, isRate) &&
    isAmount(state.amplification, 1n, 2n ** 64n) &&
    isAmount(state.fee, 0n, feeDenominator) &&
    isAmount(state.adminFee, 0n, feeDenominator) &&
    isAmount(state.offpegMultiplier, 0n, 2n ** 128n) &&
    typeof state.isJoint === 'boolean' &&
    typeof state.isUsable === 'boolean' &&
    typeof state.isMoving === 'boolean'
  )
}

const isDecimals = (data: unknown): data is number => isInteger(data, 0, 18)
const isBalance = (data: unknown): data is bigint => isAmount(data, 0n, maxUint256)
const isRate = (data: unknown): data is bigint => isAmount(data, 1n, maxUint256)
