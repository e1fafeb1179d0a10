import type { Address } from '../config.ts'
import type { TokenBalance, VaultBalances, VaultPool } from './balancerVault.ts'
import { mulUp, one } from './math/fixedPoint.ts'
import type { Pool } from './pool.ts'
import type { PoolInfo } from './poolType.ts'
import type { Curve } from './priceCurve.ts'

export type Pricing = {
  /** Per token, with 18 decimals; absent if all are one. */
  rates?: readonly bigint[] | undefined
  /** Both with 18 decimals, times rates, after fee. Throws a RangeError where the contract reverts. */
  bought(sell: number, buy: number, amount: bigint): bigint
  curve(sell: number, buy: number): Curve
}

/** Returns the balances with 18 decimals, times rates. Throws a RangeError where the contract reverts. */
export function scaledBalances(
  { scales }: VaultPool,
  { holdings }: VaultBalances,
  rates?: readonly bigint[],
): bigint[] {
  return holdings.map(({ cash, managed }, i) => upscale(cash + managed, scales[i] as bigint, rates?.[i]))
}

/** BaseGeneralPool._upscale. Throws a RangeError on 256-bit overflow, which needs a rate. */
function upscale(amount: bigint, scale: bigint, rate: bigint | undefined): bigint {
  if (rate === undefined) return amount * scale
  const product = amount * scale * rate
  if (product >= 2n ** 256n) throw new RangeError('A product is larger than a word.')
  return product / one
}

/** BaseGeneralPool._downscaleDown. */
function downscale(amount: bigint, scale: bigint, rate: bigint | undefined): bigint {
  return rate === undefined ? amount / scale : (amount * one) / (scale * rate)
}

/** BalanceAllocation.sol stores balances in 112 bits. */
const maxBalance = 2n ** 112n - 1n

/** Creates a pool held by the Vault; `withState` creates the same pool with other balances. */
export function memberPool<State extends VaultBalances>(
  { address, source, tokens, fixed }: PoolInfo<VaultPool>,
  state: State,
  { rates, bought, curve }: Pricing,
  hopGas: bigint,
  withState: (state: State) => Pool,
): Pool {
  const { holdings, fee, isPaused } = state
  const totals = holdings.map(({ cash, managed }) => cash + managed)
  const curves = new Map<number, Curve>()

  function quote(sell: Address, buy: Address, amount: bigint): bigint {
    const [from, to] = [tokens.indexOf(sell), tokens.indexOf(buy)]
    if (isPaused || amount <= 0n || (totals[from] as bigint) + amount > maxBalance) return 0n
    const [scaleIn, scaleOut] = [fixed.scales[from] as bigint, fixed.scales[to] as bigint]
    const paid = unlessRefused(() => {
      const kept = upscale(amount - mulUp(amount, fee), scaleIn, rates?.[from])
      return downscale(bought(from, to, kept), scaleOut, rates?.[to])
    }, 0n)
    return paid > (holdings[to] as TokenBalance).cash ? 0n : paid
  }

  return {
    address,
    holder: fixed.vault,
    source,
    tokens,
    quote,

    curve(sell, buy) {
      const [from, to] = [tokens.indexOf(sell), tokens.indexOf(buy)]
      const known = curves.get(from * tokens.length + to)
      if (known) return known
      const isEmpty = isPaused || totals[from] === 0n || totals[to] === 0n
      const fresh = isEmpty ? emptyCurve : unlessRefused(() => curve(from, to), emptyCurve)
      curves.set(from * tokens.length + to, fresh)
      return fresh
    },

    /** PoolBalances.sol: the whole input is added, fee included. */
    after(sell, buy, sold) {
      const paid = quote(sell, buy, sold)
      const changes = new Map([[tokens.indexOf(sell), sold] as const, [tokens.indexOf(buy), -paid] as const])
      const changed = holdings.map(({ cash, managed }, i) => ({
        cash: cash + (changes.get(i) ?? 0n),
        managed,
      }))
      return withState({ ...state, holdings: changed })
    },

    gas: () => hopGas,
    encode: () => ({ kind: 4, fee: 0, aux: fixed.poolId }),
  }
}

export const emptyCurve: Curve = {
  capacity: 0,
  most: 0,
  bought: () => 0,
  slope: () => 0,
  soldAt: () => 0,
  steps: () => 0,
}

/** Returns `otherwise` where the contract reverts. */
export function unlessRefused<T>(compute: () => T, otherwise: T): T {
  try {
    return compute()
  } catch (error) {
    if (error instanceof RangeError) return otherwise
    throw error
  }
}
