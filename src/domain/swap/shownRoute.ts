import { type Address, isNative } from '../token/token.ts'
import type { Hop, Route, Split, Trade } from './quote.ts'

/**
 * Returns the route in selling order, largest shares first. The native and the wrapped token are one stop,
 * which is called as the trade calls it, and wrapping is no hop; both stay where the route would pass the
 * stop twice. Shares are in percent, not rounded.
 */
export function toShownRoute(
  route: Route,
  { sell, buy }: Pick<Trade, 'sell' | 'buy'>,
  wrapped: Address | undefined,
): Route {
  const sorted = (inSellingOrder(route) ?? route).map(inShareOrder)
  const isEither = (token: Address) => isNative(token) || token === wrapped
  // A swap between the two is wrapping itself.
  if (wrapped === undefined || (isEither(sell) && isEither(buy))) return sorted
  const stop = [sell, buy].find(isNative) ?? wrapped
  if (
    stop === wrapped &&
    !sorted.some(({ token, hops }) => [token, ...hops.map(({ buy }) => buy)].some(isNative))
  ) {
    return sorted
  }
  const rename = (token: Address) => (isEither(token) ? stop : token)

  const joined = new Map<Address, Hop[]>()
  const pieces = sorted.filter(({ token }) => isEither(token))
  if (pieces.length > 0) joined.set(stop, joinHops(pieces, toParts(sorted), isEither))
  for (const { token, hops } of sorted) if (!isEither(token)) joined.set(token, hops)
  const splits = [...joined]
    .filter(([, hops]) => hops.length > 0)
    .map(([token, hops]) => ({
      token,
      hops: mergeHops(hops.map((hop) => ({ ...hop, buy: rename(hop.buy) }))),
    }))
  return inSellingOrder(splits)?.map(inShareOrder) ?? sorted
}

/** Returns the splits, each before those of the tokens that it buys; undefined if they are a cycle. */
function inSellingOrder(splits: Split[]): Split[] | undefined {
  const left = [...splits]
  const ordered: Split[] = []
  while (left.length > 0) {
    const isBought = (token: Address) => left.some(({ hops }) => hops.some(({ buy }) => buy === token))
    const at = left.findIndex(({ token }) => !isBought(token))
    if (at < 0) return undefined
    ordered.push(...left.splice(at, 1))
  }
  return ordered
}

/** Unknown shares come last. */
function inShareOrder({ token, hops }: Split): Split {
  const falling = (one: Shared, other: Shared) => (other.share ?? -1) - (one.share ?? -1)
  const sorted = hops.map((hop) => ({ ...hop, sources: [...hop.sources].sort(falling) }))
  return { token, hops: sorted.sort(falling) }
}

type Shared = { share: number | undefined }

/** Returns the part of the sold amount that arrives at each token, in percent. */
function toParts(route: Route): (token: Address) => number | undefined {
  const parts = new Map<Address, number | undefined>()
  const first = route[0]?.token
  const partOf = (token: Address) => (token === first ? 100 : parts.get(token))
  for (const { token, hops } of route) {
    for (const { buy, share } of hops) {
      const part = multiply(share, partOf(token))
      parts.set(buy, parts.has(buy) ? add(parts.get(buy), part) : part)
    }
  }
  return partOf
}

/** Joins the hops of the native and the wrapped token, with shares of what leaves both. */
function joinHops(
  splits: Split[],
  partOf: (token: Address) => number | undefined,
  isEither: (token: Address) => boolean,
): Hop[] {
  const leaving = splits
    .map(({ token, hops }) => ({ token, hops: hops.filter(({ buy }) => !isEither(buy)) }))
    .filter(({ hops }) => hops.length > 0)
  // Shares of one of them are known though its part may not be.
  const wholeOf = (token: Address) => (leaving.length === 1 ? 100 : partOf(token))
  const hops = leaving.flatMap(({ token, hops }) => hops.map((hop) => scaleHop(hop, wholeOf(token))))
  const total = hops.reduce<number | undefined>((sum, { share }) => add(sum, share), 0)
  return hops.map((hop) => scaleHop(hop, total && 10_000 / total))
}

function scaleHop({ buy, share, sources }: Hop, percent: number | undefined): Hop {
  const scaled = sources.map((one) => ({ ...one, share: multiply(one.share, percent) }))
  return { buy, share: multiply(share, percent), sources: scaled }
}

/** Merges hops to one token, and pieces of one source. */
function mergeHops(hops: Hop[]): Hop[] {
  const merged = new Map<Address, Hop>()
  for (const { buy, share, sources } of hops) {
    const same = merged.get(buy)
    merged.set(buy, {
      buy,
      share: same ? add(same.share, share) : share,
      sources: mergeSources([...(same?.sources ?? []), ...sources]),
    })
  }
  return [...merged.values()]
}

function mergeSources(sources: Hop['sources']): Hop['sources'] {
  const shares = new Map<string, number | undefined>()
  for (const { name, share } of sources)
    shares.set(name, shares.has(name) ? add(shares.get(name), share) : share)
  return [...shares].map(([name, share]) => ({ name, share }))
}

function add(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other
}

function multiply(percent: number | undefined, of: number | undefined): number | undefined {
  return percent === undefined || of === undefined ? undefined : (percent * of) / 100
}
