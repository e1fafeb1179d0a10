import type { Hop, Route } from '../../domain/swap/quote.ts'
import type { Address } from '../../domain/token/token.ts'
import type { Leg } from './chooseSplit.ts'
import { parts } from './pathQuoter.ts'

/** Names as in `directSources`. */
export const directSources = [
  { id: 'UNISWAP_V3', title: 'Uniswap V3' },
  { id: 'UNISWAP_V2', title: 'Uniswap V2' },
]

/** Returns the route of a split. Shares of a token are those of what the legs sell. */
export function toRoute(legs: Leg[], total: bigint): Route {
  const [first] = legs
  if (first === undefined) return []
  const tenths = legs.map(({ amount }) => (total < parts ? parts : (amount * parts) / total))
  const sold = new Map<Address, Map<Address, Map<string, bigint>>>()
  legs.forEach(({ path: { tokens, fees } }, leg) => {
    for (let hop = 0; hop < fees.length; hop++) {
      const [sell, buy] = [tokens[hop], tokens[hop + 1]]
      if (sell === undefined || buy === undefined) continue
      const name = fees[hop] === 0 ? 'UNISWAP_V2' : 'UNISWAP_V3'
      const hops = getOrAdd(sold, sell, () => new Map<Address, Map<string, bigint>>())
      const sources = getOrAdd(hops, buy, () => new Map<string, bigint>())
      sources.set(name, (sources.get(name) ?? 0n) + (tenths[leg] ?? 0n))
    }
  })
  return [...sold].map(([token, hops]) => ({ token, hops: toHops(hops) }))
}

function toHops(hops: Map<Address, Map<string, bigint>>): Hop[] {
  const all = [...hops].flatMap(([buy, sources]) =>
    [...sources].map(([name, weight]) => ({ buy, name, weight: Number(weight) })),
  )
  const shares = toPercents(all.map(({ weight }) => weight))
  const shared = all.map((one, index) => ({ ...one, share: shares[index] ?? 0 }))
  return [...hops.keys()].map((buy) => {
    const sources = shared.filter((one) => one.buy === buy).map(({ name, share }) => ({ name, share }))
    return { buy, share: sources.reduce((sum, { share }) => sum + share, 0), sources }
  })
}

/** Largest remainders, so that the sum is 100. */
function toPercents(weights: number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const exact = weights.map((weight) => (weight * 100) / total)
  const floors = exact.map(Math.floor)
  const missing = 100 - floors.reduce((sum, share) => sum + share, 0)
  const order = exact
    .map((share, index) => ({ index, rest: share - Math.floor(share) }))
    .sort((one, other) => other.rest - one.rest)
    .slice(0, missing)
    .map(({ index }) => index)
  return floors.map((share, index) => share + (order.includes(index) ? 1 : 0))
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const found = map.get(key) ?? create()
  map.set(key, found)
  return found
}
