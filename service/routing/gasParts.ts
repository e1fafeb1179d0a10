import type { Address } from '../config.ts'
import { type GasPart, gasBounds, gasCosts, maxRefundShare, refund } from '../pools/gasCosts.ts'
import type { Pool } from '../pools/pool.ts'
import { nativeTokenAddress } from '../tokens/registry.ts'
import { type HopPayment, paymentsOf } from './payments.ts'
import type { Route } from './route.ts'

/** A route after the search. */
export type SettledRoute = Omit<Route, 'evidence'>

/** Counts a route's gas components. */
export function countGasParts(route: SettledRoute): Map<GasPart, number> {
  const counts = new Map<GasPart, number>([
    ['base', 1],
    ['branch', route.branches.length - 1],
    ['slot', countSlots(route)],
  ])
  const add = (part: GasPart, count = 1) => counts.set(part, (counts.get(part) ?? 0) + count)
  for (const hop of paymentsOf(route)) {
    addHop(route, hop, add)
    if (hop.payer === 'router' && hop.edge.from > 0 && hop.kind > unwrapKind) add('held')
    if (!hop.onPath) add('split')
  }
  if (counts.has('weightedV3') || counts.has('stableV3')) add('vaultV3')
  return counts
}

function addHop(
  { tokens }: SettledRoute,
  { edge: { pool, from, to, sold }, kind }: HopPayment,
  add: (part: GasPart, count?: number) => void,
): void {
  const [sell, buy] = [tokens[from], tokens[to]] as [Address, Address]
  if (kind <= unwrapKind) add(sell === nativeTokenAddress ? 'wrap' : 'unwrap')
  else if (kind === pairKind) add('constantProduct')
  else if (kind === 3) {
    const { crossed, words, parts = ofV3 } = pool.steps?.(sell, sold) ?? { crossed: [], words: 0 }
    for (const part of parts[0]) add(part)
    add(parts[1], crossed.length)
    add('word', words)
  } else if (kind === stableSwapKind) {
    add(isNgHop(pool, sell, buy) ? 'stableSwapNg' : 'stableSwap')
    add('stableSwapToken', pool.tokens.length - 2)
    addNative(sell, buy, add)
  } else if (kind === v4Kind) {
    const { crossed, words } = pool.steps?.(sell, sold) ?? { crossed: [], words: 0 }
    add('uniswapV4')
    addNative(sell, buy, add)
    add('tick', crossed.length)
    add('word', words)
  } else if (kind === converterKind) {
    const part = converterParts[formOf(pool, sell, buy)] as GasPart
    add(part)
    if (pool.gas(sell, buy, sold) > gasCosts[part]) add('accrual')
  } else if (kind === balancerKind) {
    const usual = pool.gas(sell, buy, sold) === gasCosts.stable ? 'stable' : 'weighted'
    for (const part of pool.steps?.(sell, sold).parts?.[0] ?? [usual]) add(part)
  } else if (kind === 8) add(pool.gas(sell, buy, sold) === gasCosts.stableV3 ? 'stableV3' : 'weightedV3')
  else add(pool.gas(sell, buy, sold) === gasCosts.solidlyStable ? 'solidlyStable' : 'solidlyVolatile')
}

function addNative(sell: Address, buy: Address, add: (part: GasPart) => void): void {
  if (sell === nativeTokenAddress) add('nativeSold')
  if (buy === nativeTokenAddress) add('nativeBought')
}

/**
 * Counts the slots that a swap fills and empties: the router's balances of tokens that it holds meanwhile,
 * for each hop if they pass through at once, and its allowances to vaults, StableSwap pools and converters.
 */
function countSlots({ tokens, branches }: SettledRoute): number {
  return branches.reduce((sum, branch) => {
    const hops = paymentsOf({ tokens, branches: [branch] })
    const held = new Set(hops.flatMap(({ edge, payee }) => (payee === 'router' ? [tokens[edge.to]] : [])))
    held.delete(nativeTokenAddress)
    const passing = hops.map(({ edge, payer, payee, kind }) => {
      const [sell, buy] = [tokens[edge.from], tokens[edge.to]] as [Address, Address]
      const isSpent = spenders.includes(kind) && sell !== nativeTokenAddress
      const form = kind === converterKind ? formOf(edge.pool, sell, buy) : undefined
      // Own shares need no allowance.
      const isAllowed = isSpent && form !== 1 && form !== 3
      const isPulled = payer === 'sender' && (isSpent || kind === unwrapKind)
      const isOld = kind === stableSwapKind && !isNgHop(edge.pool, sell, buy)
      const isForwarded = payee !== 'router' && (isOld || form === 2 || form === 3)
      const isWrapped = kind === wrapKind && payee !== 'router'
      const isPassed = isWrapped || (isForwarded && buy !== nativeTokenAddress)
      return [isAllowed, isPulled, isPassed].filter(Boolean).length
    })
    return passing.reduce((all, slots) => all + slots, sum + held.size)
  }, 0)
}

/** contracts/ISwapRouter.sol */
const [wrapKind, unwrapKind, pairKind, balancerKind, solidlyKind] = [0, 1, 2, 4, 5] as const
const [stableSwapKind, v4Kind, converterKind] = [6, 7, 9] as const

const spenders: readonly number[] = [balancerKind, stableSwapKind, converterKind]

/** By the router's form of a converter. */
const converterParts = ['deposit', 'redeem', 'wrapShares', 'unwrapShares', 'sellGem', 'buyGem'] as const

function formOf(pool: Pool, sell: Address, buy: Address): number {
  return Number(pool.encode(sell, buy).detail)
}

/** NG pools pay the recipient themselves. */
function isNgHop(pool: Pool, sell: Address, buy: Address): boolean {
  return (pool.encode(sell, buy).detail ?? 0n) >> 16n === 2n
}

const ofV3 = [['concentrated'], 'tick'] as const

/** Sums the gas that the pools may take more if the route is executed later. */
export function lateGas({ branches }: SettledRoute): bigint {
  const edges = branches.flatMap((branch) => branch.edges)
  return edges.reduce((sum, { pool }) => sum + (pool.lateGas ?? 0n), 0n)
}

/** Gas of a slot's first value, above that of another one (EIP-2200, EIP-2929). */
export const newSlot = 17_100n

/**
 * Sums the gas of slots that are filled where pools and ticks were never used: growths of fees outside of a
 * tick, with rewards in Slipstream's; sums of prices, fees and observations of a pool.
 */
export function firstUseGas(route: SettledRoute): bigint {
  const counts = countGasParts(route)
  const ticks = 2 * ((counts.get('tick') ?? 0) + (counts.get('algebraTick') ?? 0))
  const slots = paymentsOf(route).reduce(
    (sum, { edge, kind }) => {
      if (kind <= unwrapKind) return sum
      const [sell, buy] = [route.tokens[edge.from], route.tokens[edge.to]] as [Address, Address]
      const isNg = kind === stableSwapKind && isNgHop(edge.pool, sell, buy)
      return sum + (kind === pairKind || kind === solidlyKind || isNg ? 2 : 1)
    },
    ticks + 3 * (counts.get('slipstreamTick') ?? 0),
  )
  return BigInt(slots) * newSlot
}

/**
 * Returns an upper bound on a route's gas, through pools that were swapped before; `route.gas` is an
 * estimate.
 * `isNewHolder` if the recipient may hold none of the bought token; `emptied` further slots are refunded.
 */
export function maxGas(route: SettledRoute, isNewHolder: boolean, extra = 0n, emptied = 0): bigint {
  const counts = countGasParts(route)
  if (isNewHolder && route.tokens.at(-1) !== nativeTokenAddress) counts.set('newHolder', 1)
  const gross = [...counts].reduce((sum, [part, count]) => sum + BigInt(count) * gasBounds[part], extra)
  const refunds = refund * BigInt((counts.get('slot') ?? 0) + emptied)
  return gross - (refunds < gross / maxRefundShare ? refunds : gross / maxRefundShare)
}
