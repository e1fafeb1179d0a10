import { admitDirectly } from '../admission/admit.ts'
import type { MarketView } from '../admission/marketView.ts'
import type { SeedRequest } from '../admission/seeds.ts'
import { edgeGas } from '../candidates.ts'
import { findPaths, pricesAfterTrade, spotPrices } from '../paths.ts'
import { solveDual } from './dual.ts'
import { addTokens, exactly, type FreeSplit } from './freeSplit.ts'

const mostJoining = 6

/**
 * Admits tokens that pay beside the best path after gas. With gas, a few pools carry the amount and their
 * prices fall further than in the free split, so tokens pay that did not there. A better single path always
 * does: it starts above the marginal price of this one.
 */
export function admitBesidePath(
  view: MarketView,
  whole: FreeSplit,
  request: SeedRequest & { gasWorth: number },
  pathConnectors: number,
): FreeSplit {
  if (request.connectors !== undefined || request.complexityLevel === 0) return whole
  const { tokens } = whole.candidates
  const first = spotPrices(whole.candidates, pathConnectors + 1)
  const worth = { gas: request.gasWorth, tokens: first }
  const [path] = findPaths(whole.candidates, request.amount, pathConnectors, worth)
  if (path === undefined) return whole
  const after = pricesAfterTrade(first, path)
  const onPath = [0, ...path.arcs.map(({ to }) => to)]
  const gas = path.arcs.map((arc, i) => edgeGas(arc, path.sold[i] as number) * request.gasWorth)
  const hop = Math.min(...gas)
  const anchors = {
    tokens: onPath.flatMap((token) => tokens[token] ?? []),
    prices: onPath.map((token) => after[token] as number),
    isFree: request.complexityLevel >= 2,
  }
  const paying = admitDirectly(view, anchors, { size: hop, least: 2 * hop })
  const joining = paying.filter(({ token }) => !tokens.includes(token)).slice(0, mostJoining)
  if (joining.length === 0) return whole
  const level = request.complexityLevel
  const joined = new Set(whole.candidates.arcs.map(({ pool }) => pool))
  const { candidates, prices } = addTokens(
    view,
    whole.candidates,
    whole.solution.prices,
    joining,
    level,
    joined,
  )
  const solution = solveDual(candidates.arcs, candidates.tokens.length, request.amount, prices, exactly)
  return { ...whole, candidates, solution }
}
