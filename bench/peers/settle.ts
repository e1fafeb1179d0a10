import type { Address } from '../../service/config.ts'
import type { VaultBalances } from '../../service/pools/balancerVault.ts'
import type { Reserves } from '../../service/pools/constantProduct.ts'
import { type Converter, type ConverterState, ray } from '../../service/pools/converterState.ts'
import { feeOf } from '../../service/pools/math/solidlyMath.ts'
import type { Pool } from '../../service/pools/pool.ts'
import type { PoolInfo, PoolSnapshot } from '../../service/pools/poolType.ts'
import { poolTypes, toPool } from '../../service/pools/registry.ts'
import type { SolidlyState } from '../../service/pools/solidly.ts'
import {
  type StableSwapInfo,
  type StableSwapState,
  stableSwapPool,
} from '../../service/pools/stableSwap/stableSwapPool.ts'
import type { VaultV3Pool, VaultV3State } from '../../service/pools/vaultV3.ts'
import { aggregateFeeOf } from '../../service/pools/vaultV3Pool.ts'
import type { Leg, PeerRoute } from './peer.ts'

export type SettledHop = { pool: Pool; sell: Address; buy: Address; sold: bigint; bought: bigint }

/** In base units of the bought token. */
export type Settled = { returns: bigint; hops: readonly SettledHop[] }

export type Settler = (route: Pick<PeerRoute, 'branches'>, sell: Address, buy: Address) => Settled

/**
 * Returns a function that executes routes in the pools' integer arithmetic, each from the given state. A pool
 * used again has the state after its earlier swaps. Throws where a contract would revert, and on the second
 * use of a v3 or Algebra pool.
 */
export function createSettler(snapshots: readonly PoolSnapshot[]): Settler {
  const known = new Map(snapshots.map((snapshot) => [snapshot.listing.address, snapshot]))
  const pools = new Map<Address, Pool>()

  function poolOf(snapshot: PoolSnapshot): Pool {
    const { address } = snapshot.listing
    const pool = pools.get(address) ?? toPool(snapshot)
    pools.set(address, pool)
    return pool
  }

  return ({ branches }, sell, buy) => {
    const changed = new Map<Address, PoolSnapshot>()
    const hops: SettledHop[] = []
    let returns = 0n
    for (const { amount, legs } of branches) {
      const held = new Map([[sell, amount]])
      for (const leg of legs) {
        const sold = takePart(held.get(leg.sell) ?? 0n, leg)
        // A share can round to nothing.
        if (sold === 0n) continue
        const hop = swap(leg, sold)
        hops.push(hop)
        held.set(leg.sell, (held.get(leg.sell) ?? 0n) - sold)
        held.set(leg.buy, (held.get(leg.buy) ?? 0n) + hop.bought)
      }
      returns += held.get(buy) ?? 0n
    }
    return { returns, hops }

    function swap({ pool: address, sell, buy }: Leg, sold: bigint): SettledHop {
      const before = changed.get(address)
      const snapshot = before ?? known.get(address)
      if (snapshot === undefined) throw new Error(`No pool at ${address}.`)
      const pool = before ? toPool(before) : poolOf(snapshot)
      const bought = pool.quote(sell, buy, sold)
      if (bought === 0n) throw new Error(`The pool ${address} cannot fill ${sold}.`)
      changed.set(address, stateAfter(snapshot, sell, buy, sold, bought))
      return { pool, sell, buy, sold, bought }
    }
  }
}

const precision = 10 ** 15

function takePart(held: bigint, { part }: Leg): bigint {
  return part >= 1 ? held : (held * BigInt(Math.floor(part * precision))) / BigInt(precision)
}

/** A v3, v4 or Algebra pool is left without a price, so that a second use fails. */
function stateAfter(
  { listing, state }: PoolSnapshot,
  sell: Address,
  buy: Address,
  sold: bigint,
  bought: bigint,
): PoolSnapshot {
  const [from, to] = [listing.tokens.indexOf(sell), listing.tokens.indexOf(buy)]
  const change = (i: number) => (i === from ? sold : i === to ? -bought : 0n)
  if (listing.kind === 'concentrated' || listing.kind === 'uniswap-v4') {
    return { listing, state: { sqrtPrice: 0n, tick: 0, liquidity: 0n, ticks: [], protocolFee: 0 } }
  }
  if (listing.kind === 'algebra' || listing.kind === 'slipstream') {
    return { listing, state: { ...(state as object), sqrtPrice: 0n, tick: 0, liquidity: 0n, ticks: [] } }
  }
  if (listing.kind === 'constant-product') {
    const { reserve0, reserve1 } = state as Reserves
    return { listing, state: { reserve0: reserve0 + change(0), reserve1: reserve1 + change(1) } }
  }
  if (listing.kind === 'solidly') {
    const { reserve0, reserve1, fee, ...rest } = state as SolidlyState
    // The fee leaves the pool.
    const kept = (i: number) => (i === from ? sold - feeOf(sold, BigInt(fee)) : change(i))
    return { listing, state: { ...rest, fee, reserve0: reserve0 + kept(0), reserve1: reserve1 + kept(1) } }
  }
  if (listing.kind === 'weighted-v3' || listing.kind === 'stable-v3') {
    const held = state as VaultV3State
    const left = aggregateFeeOf(listing.fixed as VaultV3Pool, held, from, sold)
    const balances = held.balances.map((balance, i) => balance + change(i) - (i === from ? left : 0n))
    return { listing, state: { ...held, balances } }
  }
  if (poolTypes[listing.kind].pool === stableSwapPool) {
    const pool = stableSwapPool(listing as PoolInfo<StableSwapInfo>, state as StableSwapState)
    return { listing, state: pool.stateAfter(sell, buy, sold) }
  }
  if (listing.kind === 'converter') {
    const { rates, maxSold, maxBought } = state as ConverterState
    const reduce = (limits: readonly bigint[], i: number, used: bigint) =>
      limits.map((limit, j) => (j === i ? limit - used : limit))
    // Of the others the rate stays.
    const isPooled = (listing.fixed as Converter).form === 'vault' && rates[1] !== ray
    const moved = isPooled ? [rates[0] + change(0), rates[1] - change(1)] : rates
    const left = { maxSold: reduce(maxSold, from, sold), maxBought: reduce(maxBought, to, bought) }
    return { listing, state: { rates: moved, ...left } }
  }
  const balances = state as VaultBalances
  const holdings = balances.holdings.map(({ cash, managed }, i) => ({ cash: cash + change(i), managed }))
  return { listing, state: { ...balances, holdings } }
}
