import type { Address } from '../../config.ts'
import { findDirect } from './directGains.ts'
import { estimateGains, findProfits, findRoundings } from './findProfits.ts'
import { type Anchors, type Labels, labelDirectly, labelFurther, trace } from './labels.ts'
import type { MarketView } from './marketView.ts'
import { sumDescending } from './sumDescending.ts'

export type Admission = {
  /** Tokens that a profitable path goes through, with a price each. */
  joining: readonly { token: Address; price: number }[]
  /** Computes the profit of all pools outside the anchors' pairs at the prices found; Infinity if some have
   * none. */
  profit(): number
}

/** Part of the gain required, where it is estimated. */
const estimated = 0.5

export type AdmissionTerms = {
  /** Value below which a pool does not count, in the bought token. */
  size: number
  /** Profit that a token must bring. */
  least: number
  /** 0 to compute the profit only. */
  mostTokens: number
}

/**
 * Finds the tokens that pay at the anchors' prices: pools sell them for less than others buy them for. Tokens
 * between two anchors come first; without any, the whole market is priced.
 *
 * `profit` bounds what all pools between the anchors and other tokens, and among other tokens, can add to the
 * anchors' dual value, as any prices of theirs do (Diamandis et al. 2023, arXiv 2302.04938, section 2). Pools
 * into the sold token and out of the bought one are left out: no path has them.
 */
export function admitTokens(view: MarketView, anchors: Anchors, terms: AdmissionTerms): Admission {
  const tokenOf = (place: number) => view.index.tokens[place] as Address
  const { cheapest, dearest, joining: direct } = labelAndAdmit(view, anchors, terms)
  if (direct.length > 0 && terms.mostTokens > 0) {
    return { joining: direct.slice(0, terms.mostTokens), profit: () => Number.POSITIVE_INFINITY }
  }
  labelFurther(view, anchors, cheapest)
  labelFurther(view, anchors, dearest)
  const prices = betweenPrices(cheapest, dearest)
  const market = { view, anchors, anchor: cheapest.anchor, prices }
  const gains = terms.mostTokens > 0 ? estimateGains(market, terms.least) : new Map<number, number>()
  const paying = [...gains]
    .filter(([, gain]) => gain > terms.least * estimated)
    .sort(([a, one], [b, other]) => other - one || (tokenOf(a) < tokenOf(b) ? -1 : 1))
  const joining = new Set<number>()
  for (const [place] of paying) {
    if (joining.size >= terms.mostTokens) break
    for (const label of [cheapest, dearest]) for (const other of trace(label, place)) joining.add(other)
  }
  return {
    joining: [...joining].map((place) => ({ token: tokenOf(place), price: prices[place] as number })),
    profit: () => sumDescending([...findProfits(market), ...findRoundings(market)]),
  }
}

/** Finds the tokens that pay between two anchors, those that bring most first. */
export function admitDirectly(
  view: MarketView,
  anchors: Anchors,
  terms: Pick<AdmissionTerms, 'size' | 'least'>,
): Admission['joining'] {
  return labelAndAdmit(view, anchors, terms).joining
}

function labelAndAdmit(
  view: MarketView,
  anchors: Anchors,
  { size, least }: Pick<AdmissionTerms, 'size' | 'least'>,
) {
  const cheapest = labelDirectly(view, anchors, 'cheapest', size)
  const dearest = labelDirectly(view, anchors, 'dearest', size)
  const joining = findDirect(view, anchors, cheapest, dearest)
    .filter(({ gain }) => gain > least)
    .map(({ place, price, gain }) => ({ token: view.index.tokens[place] as Address, price, gain }))
    .sort((a, b) => b.gain - a.gain || (a.token < b.token ? -1 : 1))
  return { cheapest, dearest, joining }
}

/**
 * In the middle a pool pays neither way. A token that is never bought, or never sold on, keeps the other
 * price.
 */
function betweenPrices(cheapest: Labels, dearest: Labels): Float64Array {
  return cheapest.price.map((low, i) => {
    const high = dearest.price[i] as number
    return high > 0 && low < Number.POSITIVE_INFINITY ? Math.sqrt(low * high) : low
  })
}
