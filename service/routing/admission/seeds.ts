import type { Address } from '../../config.ts'
import type { RoutingInput } from '../candidates.ts'
import { type Anchors, type Labels, labelDirectly, labelFurther, trace } from './labels.ts'
import type { MarketView } from './marketView.ts'

/** Tokens added to the chain's connectors before the first solve. */
const mostSeeds = 8
/** Part of the amount that a path should carry. */
const carried = 1 / 8

export type SeedRequest = {
  sell: Address
  buy: Address
  amount: number
  complexityLevel: number
  connectors: readonly Address[] | undefined
}

/** Returns the sold token, the given connectors or the chain's, and the bought token. */
export function listNamedTokens(ground: RoutingInput, request: SeedRequest): Address[] {
  const { sell, buy, complexityLevel, connectors } = request
  const between = complexityLevel === 0 ? [] : (connectors ?? ground.connectors)
  return [sell, ...new Set(between.filter((token) => token !== sell && token !== buy)), buy]
}

/** Tokens that cost least in the sold token and pay most in the bought one, with those on the way. */
export function findBetween(
  view: MarketView,
  { sell, buy, amount, complexityLevel }: SeedRequest,
): Address[] {
  const { tokens } = view.index
  const ends = (first: number, last: number): Anchors => {
    return { tokens: [sell, buy], prices: [first, last], isFree: complexityLevel >= 2 }
  }
  const labelAll = (anchors: Anchors, side: Labels['side'], size: number) => {
    const labels = labelDirectly(view, anchors, side, size)
    labelFurther(view, anchors, labels)
    return labels
  }
  const cheapest = labelAll(ends(1, 0), 'cheapest', amount * carried)
  const returned = estimateReturn(view, cheapest, buy, amount * carried)
  const dearest = labelAll(ends(0, 1), 'dearest', returned)
  const scored = tokens.flatMap((token, place) => {
    const score = (dearest.price[place] as number) / (cheapest.price[place] as number)
    return score > 0 && token !== sell && token !== buy ? [{ token, place, score }] : []
  })
  const best = scored.sort((a, b) => b.score - a.score || (a.token < b.token ? -1 : 1)).slice(0, mostSeeds)
  const places = best.flatMap(({ place }) => [...trace(cheapest, place), ...trace(dearest, place)])
  return [...new Set(places)].map((place) => tokens[place] as Address)
}

/** Estimates what an amount of the sold token returns through other tokens; 0 if nothing. */
function estimateReturn(view: MarketView, { price }: Labels, buy: Address, amount: number): number {
  const { entries, from, until } = view.entriesOf(buy)
  let most = 0
  for (let i = from; i < until; i++) {
    const held = amount / (price[entries.other[i] as number] as number)
    const unmoved = held * (entries.buyStart[i] as number)
    if (unmoved > most) most = Math.max(most, unmoved / (1 + unmoved / (entries.buyDepth[i] as number)))
  }
  return most
}
