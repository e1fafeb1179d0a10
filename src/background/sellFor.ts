import type { Address } from '../domain/token.ts'
import type { Quote, Trade } from '../domain/trade.ts'
import { toWalletError, WalletError } from '../errors.ts'

export type Wanted = { chainId: number; sell: Address; buy: Address; returns: bigint }

/** Finds how much has to be sold to get what is wanted. */
export type SellFor = (wanted: Wanted) => Promise<bigint>

/** Quotes for one answer, the one that is asked the wrong way round included. */
const mostQuotes = 10

const largest = 2n ** 256n - 1n

/**
 * The service only knows what an amount returns; this searches backwards. The answer is an amount that a quote said returns enough,
 * while a thousandth less returned too little (a handful of base units, which come in steps, may cost more than they had to). Another ask aborts the one under way, which then fails with `aborted`.
 */
export function createSellFor({
  quote,
}: {
  quote(trade: Trade, signal: AbortSignal): Promise<Quote>
}): SellFor {
  let asking = new AbortController()
  return ({ chainId, sell, buy, returns }) => {
    asking.abort()
    asking = new AbortController()
    const { signal } = asking
    const returnOf = async (from: Address, to: Address, amount: bigint) => {
      if (signal.aborted) throw new WalletError('aborted', 'Another amount is looked for by now.')
      return (await quote({ chainId, sell: from, buy: to, amount }, signal)).returns
    }
    return search(
      returns,
      (amount) => returnOf(sell, buy, amount),
      () => returnOf(buy, sell, returns),
    )
  }
}

type Point = { amount: bigint; returns: bigint }

async function search(
  wanted: bigint,
  returnOf: (amount: bigint) => Promise<bigint>,
  wrongWayRound: () => Promise<bigint>,
): Promise<bigint> {
  if (wanted <= 0n) throw new WalletError('invalid-input', 'The amount to buy has to be more than nothing.')
  // Selling what is wanted tells about where to look; it pays the pools' fees on the wrong side, so a little more is needed.
  const start = await wrongWayRound().catch(nothingWhenNoRoute)
  let next = start === 0n ? 1n : divideUp(start * 1_003n, 1_000n)
  let low: Point = { amount: 0n, returns: 0n }
  let high: Point | undefined
  let refusal: unknown
  let enoughInARow = 0
  for (let quotes = 1; quotes < mostQuotes; quotes++) {
    const before = low
    refusal = undefined
    const found = { amount: next, returns: await returnOf(next).catch(note) }
    if (found.returns >= wanted) high = found
    else low = found
    enoughInARow = high === found ? enoughInARow + 1 : 0
    if (high === undefined) next = further(wanted, before, low)
    else if (high.amount - low.amount <= tolerance(high.amount)) return high.amount
    else next = between(wanted, low, high, enoughInARow > 2)
  }
  if (high !== undefined) return high.amount
  throw (
    refusal ??
    new WalletError('no-route', `No amount was found that buys ${wanted} base units.`, {
      wanted: wanted.toString(),
      most: low.returns.toString(),
    })
  )

  /** An amount too small to buy anything buys nothing; whether there is a route at all shows with larger ones. */
  function note(error: unknown): bigint {
    refusal = error
    return nothingWhenNoRoute(error)
  }
}

/** The next larger amount to try: as if the price stayed as it was from one amount to the next, and a little beyond. */
function further(wanted: bigint, before: Point, low: Point): bigint {
  if (low.returns === 0n) return most(low.amount * 1_000_000n)
  const gained = low.returns - before.returns
  // Returns that do not grow with the amount say nothing about where to go.
  if (gained <= 0n) return most(low.amount * 4n)
  const step = divideUp((wanted - low.returns) * (low.amount - before.amount), gained)
  const margin = before.amount === 0n ? step / 2_000n : step / 4n
  return most(low.amount + step + margin + 1n)
}

/** An amount strictly between two neighbours, one too small and one enough. */
function between(wanted: bigint, low: Point, high: Point, halve: boolean): bigint {
  const width = high.amount - low.amount
  const rise = high.returns - low.returns
  // Returns fall while the amount grows, or go up in steps: the line leads nowhere, and halves get there in any case.
  if (rise <= 0n || halve) return low.amount + width / 2n
  // Prices worsen with the amount, so the line between the two lies below what is really returned: this is enough, but barely.
  const guess = low.amount + divideUp((wanted - low.returns) * width, rise)
  const probe = high.amount - tolerance(high.amount)
  // Where the line ends at `high` itself, a thousandth less tells whether that is the least.
  if (guess >= probe) return probe
  return guess > low.amount ? guess : low.amount + 1n
}

function tolerance(amount: bigint): bigint {
  const thousandth = amount / 1_000n
  return thousandth > 1n ? thousandth : 1n
}

function divideUp(amount: bigint, by: bigint): bigint {
  return (amount + by - 1n) / by
}

function most(amount: bigint): bigint {
  return amount < largest ? amount : largest
}

function nothingWhenNoRoute(error: unknown): bigint {
  if (toWalletError(error).code === 'no-route') return 0n
  throw error
}
