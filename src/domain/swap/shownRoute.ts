import { type Address, isNative } from '../token/token.ts'
import type { Hop, Route, Split, Trade } from './quote.ts'

/**
 * Returns the route between the tokens that the user trades. Pools hold the wrapped token where the user
 * sells or buys the native one: both are one stop, and wrapping is no hop. Unchanged if the route passes
 * through that token again. Shares are rounded.
 */
export function toShownRoute(
  route: Route,
  { sell, buy }: Pick<Trade, 'sell' | 'buy'>,
  wrapped: Address | undefined,
): Route {
  const isSold = isNative(sell)
  const native = isSold ? sell : buy
  const isEither = (token: Address) => isNative(token) || token === wrapped
  // A swap between the two is wrapping itself.
  if (wrapped === undefined || !isNative(native) || (isEither(sell) && isEither(buy))) return route
  const isWrapping = ({ token }: Split, hop: Hop) => isEither(token) && isEither(hop.buy)
  const passesAgain = route.some((split) =>
    split.hops.some((hop) => !isWrapping(split, hop) && (isSold ? isEither(hop.buy) : isEither(split.token))),
  )
  if (passesAgain) return route

  const shown = new Map<Address, Hop[]>()
  /** Part of the sold amount that is wrapped, in percent. */
  let part: number | undefined = 100
  for (const split of route) {
    const wrapping = split.hops.find((hop) => isWrapping(split, hop))
    const scale = split.token === wrapped && isSold ? part : 100
    const token = isEither(split.token) ? native : split.token
    const hops = shown.get(token) ?? []
    for (const hop of split.hops) {
      if (!isWrapping(split, hop)) addHop(hops, scaled(hop, scale, isEither(hop.buy) ? native : hop.buy))
    }
    if (hops.length > 0) shown.set(token, hops)
    if (wrapping) part = wrapping.share
  }
  return [...shown].map(([token, hops]) => ({ token, hops }))
}

function addHop(hops: Hop[], { buy, share, sources }: Hop): void {
  const at = hops.findIndex((hop) => hop.buy === buy)
  const same = hops[at]
  if (same === undefined) hops.push({ buy, share, sources })
  else hops[at] = { buy, share: sum(same.share, share), sources: [...same.sources, ...sources] }
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other
}

function scaled({ share, sources }: Hop, percent: number | undefined, buy: Address): Hop {
  const scale = (of: number | undefined) => {
    if (percent === 100) return of
    return of === undefined || percent === undefined ? undefined : Math.round((of * percent) / 100)
  }
  return { buy, share: scale(share), sources: sources.map((one) => ({ ...one, share: scale(one.share) })) }
}
