import { zeroAddress } from 'viem'
import type { Address, Factory } from '../../service/config.ts'
import { one } from '../../service/pools/math/fixedPoint.ts'
import type { PoolSnapshot } from '../../service/pools/poolType.ts'
import type { Random } from '../random.ts'
import type { KindPlan } from './kindSnapshots.ts'
import type { SyntheticToken } from './synthetic.ts'

/** A plan with its tokens in the pool's order. */
export type Draft = {
  plan: KindPlan
  named: { kind: Factory['kind']; source: string; address: Address; tokens: readonly Address[] }
  members: readonly SyntheticToken[]
  random: Random
}

/** Part of a plan's fee by which one token's worth may be off: two then differ by less than the fee. */
export const maxSkew = 0.45

/** Base units of each share of the worth, off by at most the part `most`. */
export function balancesOf(
  { plan, members, random }: Draft,
  shares: readonly number[],
  most: number,
): bigint[] {
  return members.map(({ decimals, usd }, i) => {
    const worth = plan.usd * (shares[i] as number) * (1 + random.between(-most, most))
    return BigInt(Math.max(1_000, Math.round((worth / usd) * 10 ** decimals)))
  })
}

/** An address that names nothing of the market. */
export function placeOf(index: number): Address {
  return `0x${index.toString(16).padStart(40, '0')}`
}

const twoShares: readonly (readonly number[])[] = [
  [50, 50],
  [80, 20],
  [20, 80],
]
const threeShares: readonly (readonly number[])[] = [
  [33, 33, 34],
  [60, 20, 20],
  [25, 25, 50],
]

/** A weighted pool of Balancer v2 or v3. */
export function weightedOf(draft: Draft): PoolSnapshot {
  const { plan, named, members, random } = draft
  const shares = random.pick(members.length > 2 ? threeShares : twoShares)
  const weights = shares.map((share) => BigInt(share) * 10n ** 16n)
  const parts = shares.map((share) => share / 100)
  const balances = balancesOf(draft, parts, (maxSkew * plan.feePpm) / 1e6)
  if (named.kind === 'weighted-v3') {
    const rates = members.map(() => one)
    return {
      listing: { ...named, fixed: { ...vaultV3(draft), weights, minBalances: [] } },
      state: heldV3(draft, balances, rates),
    }
  }
  return {
    listing: { ...named, fixed: { ...vaultV2(draft), weights, isEarly: false } },
    state: heldV2(draft, balances),
  }
}

/** A stable pool of Balancer v2, with rates where it is composable, or of v3. */
export function stableOf(draft: Draft): PoolSnapshot {
  const { plan, named, members, random } = draft
  const amplitude = random.pick([200, 500, 2_000])
  const amplification = BigInt(amplitude) * 1_000n
  const balances = balancesOf(draft, evenly(draft), lopsided(draft, amplitude))
  const rates = ratesOf(members)
  if (named.kind === 'stable-v3') {
    return {
      listing: { ...named, fixed: vaultV3(draft) },
      state: { ...heldV3(draft, balances, rates), amplification },
    }
  }
  const state = { ...heldV2(draft, balances), amplification, isMoving: false }
  const fixed = { ...vaultV2(draft), isEarly: false }
  if (plan.isComposable !== true) return { listing: { ...named, fixed }, state }
  const rateProviders = rates.map((rate, i) => (rate === one ? zeroAddress : placeOf(0x4a0 + i)))
  return {
    listing: { ...named, fixed: { ...fixed, rateProviders } },
    state: { ...state, rates: { used: rates, expired: 0, isRestless: true } },
  }
}

/** A pool of Curve or of PancakeSwap: NG ones have rates and a dynamic fee. */
export function stableSwapOf(draft: Draft): PoolSnapshot {
  const { plan, named, members, random } = draft
  const isNg = named.kind === 'curve-ng'
  const isPancake = named.kind === 'pancake-stable'
  const decimals = members.map((token) => token.decimals)
  const precision = isPancake ? 1 : 100
  const amplitude = random.pick([200, 500, 2_000])
  const fixed = {
    ...{ form: isNg ? 2 : isPancake ? 1 : 0, precision, decimals },
    ...{ hasRates: isNg, isFloating: isNg, nativeIndex: -1 },
  }
  const state = {
    amplification: BigInt(amplitude * precision),
    balances: balancesOf(draft, evenly(draft), lopsided(draft, amplitude)),
    rates: ratesOf(members).map((rate, i) => rate * 10n ** BigInt(18 - (decimals[i] as number))),
    ...{ fee: BigInt(plan.feePpm) * 10n ** 4n, adminFee: 5n * 10n ** 9n },
    ...{ offpegMultiplier: isNg ? 20_000_000_000n : 0n, isJoint: isNg, isUsable: true, isMoving: false },
  }
  return { listing: { ...named, fixed }, state }
}

/** Converts up to its worth in either direction; the rate is exact in millionths. */
export function converterOf({ plan: { form, usd }, named, members }: Draft): PoolSnapshot {
  const [base, share] = members as [SyntheticToken, SyntheticToken]
  const isModule = form === 'psm'
  const unit = isModule ? 10n ** BigInt(share.decimals - base.decimals) : 1n
  const parties = isModule ? [1, 2, 3].map((i) => placeOf(0xcc0 + i)) : []
  const most = members.map((token) => BigInt(Math.round((usd / token.usd) * 10 ** token.decimals)))
  const millionths = BigInt(Math.round((share.usd / base.usd) * 1e6))
  const worths = [millionths * 10n ** BigInt(base.decimals), 10n ** BigInt(6 + share.decimals)]
  return {
    listing: { ...named, fixed: { form, isOneWay: false, unit, parties } },
    state: { rates: isModule ? [0n, 0n] : worths, maxSold: most, maxBought: most },
  }
}

function evenly({ members }: Draft): number[] {
  return members.map(() => 1 / members.length)
}

/** Moves the price of a stable pool by less than its fee. */
function lopsided({ plan: { feePpm } }: Draft, amplitude: number): number {
  return Math.min(0.3, (feePpm / 1e6) * 0.3 * amplitude)
}

/** Relative to the token of least worth, with 18 decimals. */
function ratesOf(members: readonly SyntheticToken[]): bigint[] {
  const least = Math.min(...members.map(({ usd }) => usd))
  return members.map(({ usd }) => BigInt(Math.round((usd / least) * 1e9)) * 10n ** 9n)
}

function scalesOf({ members }: Draft): bigint[] {
  return members.map(({ decimals }) => 10n ** BigInt(18 - decimals))
}

function vaultV2(draft: Draft) {
  return { vault: placeOf(0xba2), poolId: `${draft.named.address}${'0'.repeat(24)}`, scales: scalesOf(draft) }
}

function heldV2({ plan: { feePpm } }: Draft, balances: readonly bigint[]) {
  const holdings = balances.map((cash) => ({ cash, managed: 0n }))
  return { holdings, fee: BigInt(feePpm) * 10n ** 12n, isPaused: false }
}

function vaultV3(draft: Draft) {
  return { vault: placeOf(0xba3), scales: scalesOf(draft), minTrade: 10n ** 6n }
}

function heldV3({ plan: { feePpm } }: Draft, balances: readonly bigint[], rates: readonly bigint[]) {
  const fee = BigInt(feePpm) * 10n ** 12n
  return { balances, rates, fee, aggregateFee: one / 2n, isClosed: false, isRestless: false }
}
