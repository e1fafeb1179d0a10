import { smaller } from '../../domain/bounds.ts'
import { quoteKey } from '../../domain/swap/quote.ts'
import { maxUint256 } from '../../domain/token/amount.ts'
import type { Address } from '../../domain/token/token.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { ExactOutputRequest } from '../../protocol.ts'
import type { FetchQuote } from './rateLimitedQuotes.ts'
import { createRequestCache } from './requestCache.ts'

/** Returns the input amount for an output. `view`: see `RequestCache`. */
export type ExactOutput = (wanted: ExactOutputRequest, view?: string) => Promise<bigint>

/** Including the initial reverse quote. */
const maxQuotes = 10

/** Outputs below this may exceed the tolerance. */
const handful = 1_000n

/**
 * Searches by quotes, as the swap service quotes exact input only. The result buys enough while 0.1 % less
 * does not, or 1 % less where returns are stepped. Throws `no-route`, or `aborted`.
 */
export function createExactOutput({ price }: { price: FetchQuote }): ExactOutput {
  const share = createRequestCache<bigint>()

  function find(
    { chainId, sell, buy, returns, options }: ExactOutputRequest,
    signal: AbortSignal,
  ): Promise<bigint> {
    const returnOf = async (from: Address, to: Address, amount: bigint) => {
      if (signal.aborted) throw new WalletError('aborted', 'Another amount is looked for by now.')
      const trade = { chainId, sell: from, buy: to, amount }
      return (await price({ trade, ...(options && { options }) }, signal)).returns
    }
    return search(
      returns,
      (amount) => returnOf(sell, buy, amount),
      () => returnOf(buy, sell, returns),
    )
  }

  return (wanted, view) => share(quoteKey(wanted), (signal) => find(wanted, signal), view)
}

type Point = { amount: bigint; returns: bigint }

async function search(
  wanted: bigint,
  returnOf: (amount: bigint) => Promise<bigint>,
  wrongWayRound: () => Promise<bigint>,
): Promise<bigint> {
  if (wanted <= 0n) throw new WalletError('invalid-input', 'The amount to buy has to be more than nothing.')
  // The reverse quote pays pool fees on the wrong side.
  const start = await wrongWayRound().catch(nothingWhenNoRoute)
  let next = start === 0n ? 1n : divideUp(start * 1_003n, 1_000n)
  let low: Point = { amount: 0n, returns: 0n }
  let high: Point | undefined
  let refusal: unknown
  /** Consecutive results on the same side. */
  let inARow = 0
  let wasEnough = false
  /** True once a result was not between those of its bounds. */
  let isStepped = false
  for (let quotes = 1; quotes < maxQuotes; quotes++) {
    const before = low
    refusal = undefined
    const found = { amount: next, returns: await returnOf(next).catch(note) }
    const isEnough = found.returns >= wanted
    if (high && (found.returns <= low.returns || found.returns >= high.returns)) isStepped = true
    if (isEnough) high = found
    else low = found
    inARow = isEnough === wasEnough ? inARow + 1 : 1
    wasEnough = isEnough
    if (high === undefined) next = further(wanted, before, low)
    else if (high.amount - low.amount <= tolerance(high.amount)) return high.amount
    else next = between(wanted, low, high, inARow, isEnough)
  }
  const isNear = high !== undefined && isStepped && (high.amount - low.amount) * 100n <= high.amount
  if (high !== undefined && (isNear || wanted < handful)) return high.amount
  throw (
    (high === undefined && refusal) ||
    new WalletError('no-route', `No amount was found that buys ${wanted} base units and little more.`, {
      wanted: wanted.toString(),
      most: low.returns.toString(),
    })
  )

  /** Small amounts may have no route while larger ones do. */
  function note(error: unknown): bigint {
    refusal = error
    return nothingWhenNoRoute(error)
  }
}

/** Extrapolates the last marginal price, plus a margin. */
function further(wanted: bigint, before: Point, low: Point): bigint {
  if (low.returns === 0n) return smaller(low.amount * 1_000_000n, maxUint256)
  const gained = low.returns - before.returns
  if (gained <= 0n) return smaller(low.amount * 4n, maxUint256)
  const step = divideUp((wanted - low.returns) * (low.amount - before.amount), gained)
  const margin = before.amount === 0n ? step / 2_000n : step / 4n
  return smaller(low.amount + step + margin + 1n, maxUint256)
}

/** Regula falsi (Illinois variant): after `inARow` results on one side, the other end weighs less. */
function between(wanted: bigint, low: Point, high: Point, inARow: number, wasEnough: boolean): bigint {
  const width = high.amount - low.amount
  const rise = high.returns - low.returns
  // Falling or stepped returns defeat interpolation; bisection converges.
  if (rise <= 0n || inARow > 3) return halfway(low.amount, high.amount)
  const less = BigInt(inARow - 1)
  const missing = (wanted - low.returns) >> (wasEnough ? less : 0n)
  const over = (high.returns - wanted) >> (wasEnough ? 0n : less)
  // Returns lie above the line, so this is barely enough.
  const guess = low.amount + divideUp(missing * width, missing + over || 1n)
  const probe = high.amount - tolerance(high.amount)
  // Tests if `high` is the minimum.
  if (guess >= probe) return probe
  return guess > low.amount ? guess : low.amount + 1n
}

/** Bisects, geometrically if the bounds are far apart. */
function halfway(low: bigint, high: bigint): bigint {
  const least = low > 1n ? low : 1n
  if (high / least < 4n) return low + (high - low) / 2n
  const bits = (least.toString(2).length + high.toString(2).length) >> 1
  const middle = 1n << BigInt(bits - 1)
  return middle > low && middle < high ? middle : low + (high - low) / 2n
}

function tolerance(amount: bigint): bigint {
  const thousandth = amount / 1_000n
  return thousandth > 1n ? thousandth : 1n
}

function divideUp(amount: bigint, by: bigint): bigint {
  return (amount + by - 1n) / by
}

function nothingWhenNoRoute(error: unknown): bigint {
  if (toWalletError(error).code === 'no-route') return 0n
  throw error
}
