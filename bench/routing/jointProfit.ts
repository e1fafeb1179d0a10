import type { PoolSnapshot } from '../../service/pools/poolType.ts'
import type { Amplified, Version } from '../../service/pools/stable.ts'
import type { StableSwapInfo, StableSwapState } from '../../service/pools/stableSwap/stableSwapPool.ts'
import type { AmplifiedV3 } from '../../service/pools/stableV3.ts'
import type { VaultV3Pool } from '../../service/pools/vaultV3.ts'
import type { Weights } from '../../service/pools/weighted.ts'

/** A pool's tokens in units of 18 decimals at their rates, in doubles. */
type Balances = {
  held: readonly number[]
  /** Base units to such units. */
  scales: readonly number[]
  /** Parts that fees leave of what is sold and of what is bought. */
  keepIn: number
  keepOut: number
}

/** Worth of a base unit of each of the pool's tokens; undefined for one that is not traded. */
type Prices = readonly (number | undefined)[]

/** `sales`: the most swaps that sell each token. */
export type JointProfit = (prices: Prices, sales: readonly number[]) => number

/**
 * Returns a function for the most that a pool of several tokens pays for trades of all its pairs together, in
 * the unit of the prices: the best change of its balances that keeps its invariant (Diamandis et al. 2023,
 * arXiv 2302.04938, section 3). Undefined for pools of two tokens, whose pairs do not interfere. Of limits on
 * amounts only those of weighted pools count, of dynamic fees the lowest.
 */
export function jointProfitOf({ listing, state }: PoolSnapshot): JointProfit | undefined {
  const { kind, fixed } = listing
  if (listing.tokens.length < 3) return undefined
  if (kind === 'weighted') {
    const { weights, scales } = fixed as Weights
    const { holdings, fee } = state as Amplified
    return weightedProfit(byInput(holdings.map(sumOf), scales.map(Number), fee), weights.map(toPart))
  }
  if (kind === 'weighted-v3') {
    const { weights, scales } = fixed as Weights
    const { balances, fee, rates } = state as AmplifiedV3
    const rated = scales.map((scale, i) => Number(scale) * toPart(rates[i] as bigint))
    return weightedProfit(byInput(balances, rated, fee), weights.map(toPart))
  }
  if (kind === 'stable') {
    const { holdings, fee, amplification, rates } = state as Amplified
    const scales = (fixed as Version).scales.map(
      (scale, i) => Number(scale) * toPart(rates?.used[i] ?? 10n ** 18n),
    )
    return stableProfit(byInput(holdings.map(sumOf), scales, fee), Number(amplification) / 1_000)
  }
  if (kind === 'stable-v3') {
    const { balances, fee, amplification, rates } = state as AmplifiedV3
    const scales = (fixed as VaultV3Pool).scales.map((scale, i) => Number(scale) * toPart(rates[i] as bigint))
    return stableProfit(byInput(balances, scales, fee), Number(amplification) / 1_000)
  }
  const { balances, rates, fee, amplification } = state as StableSwapState
  const scales = rates.map(toPart)
  const held = balances.map((balance, i) => Number(balance) * (scales[i] as number))
  const pool = { held, scales, keepIn: 1, keepOut: 1 - Number(fee) / 1e10 }
  return stableProfit(pool, Number(amplification) / (fixed as StableSwapInfo).precision)
}

const toPart = (amount: bigint) => Number(amount) / 1e18
const sumOf = ({ cash, managed }: { cash: bigint; managed: bigint }) => cash + managed

function byInput(balances: readonly bigint[], scales: readonly number[], fee: bigint): Balances {
  const held = balances.map((balance, i) => Number(balance) * (scales[i] as number))
  return { held, scales, keepIn: 1 - toPart(fee), keepOut: 1 }
}

const halvings = 60

/** WeightedMath._MAX_IN_RATIO: a swap sells this part of the balance at most. */
const maxGrowth = 1.3

/** Maximizes profit + multiplier · Σ weight · ln(balance / held), which bounds it at any multiplier. */
function weightedProfit(pool: Balances, weights: readonly number[]): JointProfit {
  return (prices, sales) => {
    const worths = pool.held.map(
      (held, i) => ((worthOf(pool, prices, i) ?? 0) * held) / (weights[i] as number),
    )
    const traded = worths.filter((worth) => worth > 0)
    const after = (multiplier: number) =>
      balancesAt(pool, prices, (price, i) => {
        const most = at(pool.held, i) * maxGrowth ** (sales[i] as number)
        return Math.min((multiplier * at(weights, i)) / price, most)
      })
    const growth = (balances: readonly number[]) =>
      balances.reduce(
        (sum, balance, i) => sum + (weights[i] as number) * Math.log(balance / at(pool.held, i)),
        0,
      )
    const multiplier = bisect(Math.min(...traded) / 2, (2 * Math.max(...traded)) / pool.keepIn, (tried) => {
      return growth(after(tried)) < 0
    })
    const balances = after(multiplier)
    return profitOf(pool, prices, balances) + multiplier * growth(balances)
  }
}

/**
 * Maximizes profit at the invariant D: at the best balances prices are in proportion to Ann + Q / balance,
 * with Ann = A·n^n and Q = D^(n+1) / (n^n · Π balances).
 */
function stableProfit(pool: Balances, amplification: number): JointProfit {
  const count = pool.held.length
  const ann = amplification * count
  const unit = invariantOf(pool.held, ann)
  // In parts of D, which leaves 1 in its place.
  const parts: Balances = {
    ...pool,
    held: pool.held.map((held) => held / unit),
    scales: pool.scales.map((scale) => scale / unit),
  }
  const quotient = (balances: readonly number[]) => {
    return balances.reduce((product, balance) => product / balance, count ** -count)
  }
  const gain = (balances: readonly number[]) => {
    return ann * balances.reduce((sum, balance) => sum + balance, 0) - quotient(balances)
  }
  const before = gain(parts.held)
  const slopes = parts.held.map((held) => ann + quotient(parts.held) / held)

  return (prices) => {
    const after = (multiplier: number) => {
      const given = (q: number) =>
        balancesAt(parts, prices, (price) => {
          const slope = price / multiplier - ann
          return slope > 0 ? Math.min(q / slope, mostParts) : mostParts
        })
      return given(Math.exp(bisect(-60, 60, (tried) => quotient(given(Math.exp(tried))) > Math.exp(tried))))
    }
    const ratios = slopes.flatMap((slope, i) => {
      const worth = worthOf(parts, prices, i)
      return worth === undefined ? [] : [worth / slope]
    })
    // Q grows without limit while a balance is used up, and the multiplier falls as it does.
    const [low, high] = [Math.min(...ratios) * 1e-9, (2 * Math.max(...ratios)) / parts.keepIn]
    const multiplier = bisect(low, high, (tried) => gain(after(tried)) < before)
    const balances = after(multiplier)
    const product = quotient(balances)
    // A fee left in what was bought makes later swaps cheaper, by its part of the change of the price.
    const left = balances.reduce((sum, balance, i) => {
      const out = Math.max(0, at(parts.held, i) - balance)
      const change = 1 - at(slopes, i) / (ann + product / balance)
      return sum + out * (worthOf(parts, prices, i) ?? 0) * (1 - parts.keepOut) * Math.max(0, change)
    }, 0)
    return profitOf(parts, prices, balances) * (1 + spare) + 2 * left
  }
}

/** No balance of a stable pool exceeds its invariant by more. */
const mostParts = 1e6
/** For the rounding of the search. */
const spare = 1e-9

/** The balances to which trade pays, `target` at a price after fees; others stay. */
function balancesAt(
  { held, scales, keepIn, keepOut }: Balances,
  prices: Prices,
  target: (price: number, i: number) => number,
): number[] {
  return held.map((balance, i) => {
    const price = worthOf({ scales }, prices, i)
    if (price === undefined) return balance
    const [whenSold, whenBought] = [target(price / keepIn, i), target(price * keepOut, i)]
    return whenSold > balance ? whenSold : Math.min(whenBought, balance)
  })
}

function profitOf(pool: Balances, prices: Prices, balances: readonly number[]): number {
  return balances.reduce((sum, balance, i) => {
    const out = at(pool.held, i) - balance
    const worth = worthOf(pool, prices, i) ?? 0
    return sum + worth * (out > 0 ? out * pool.keepOut : out / pool.keepIn)
  }, 0)
}

function worthOf({ scales }: Pick<Balances, 'scales'>, prices: Prices, i: number): number | undefined {
  const price = prices[i]
  return price === undefined ? undefined : price / at(scales, i)
}

/** Newton's method on Ann·S + D = Ann·D + D^(n+1) / (n^n · Π). */
function invariantOf(held: readonly number[], ann: number): number {
  const count = held.length
  const sum = held.reduce((total, balance) => total + balance, 0)
  let invariant = sum
  for (let round = 0; round < 255; round++) {
    const product = held.reduce((part, balance) => (part * invariant) / (balance * count), invariant)
    const next = ((ann * sum + count * product) * invariant) / ((ann - 1) * invariant + (count + 1) * product)
    if (Math.abs(next - invariant) <= 1e-15 * invariant) return next
    invariant = next
  }
  return invariant
}

/** The end of the range where `isLow` holds; it holds at the lower ones. */
function bisect(low: number, high: number, isLow: (tried: number) => boolean): number {
  let [from, to] = [low, high]
  for (let i = 0; i < halvings && to > from; i++) {
    const middle = (from + to) / 2
    if (isLow(middle)) from = middle
    else to = middle
  }
  return to
}

function at(values: readonly number[], i: number): number {
  return values[i] as number
}
