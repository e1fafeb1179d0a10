import { setImmediate } from 'node:timers/promises'
import type { Address, TokenInfo } from '../config.ts'
import type { PoolEdge } from '../routing/market.ts'

/** US dollars of a whole token. */
export type Prices = ReadonlyMap<Address, number>

export type PricedToken = Pick<TokenInfo, 'address' | 'decimals'>

export type PriceInput = {
  tokens: readonly PricedToken[]
  /** Pools that sell `buy`, at one block. */
  offers(sell: Address, buy: Address): readonly PoolEdge[]
  connectors: readonly Address[]
  stables: readonly Address[]
}

/**
 * A pool counts if 1,000 dollars move its price by at most 5 % in both directions, so that a price needs
 * about 20,000 dollars of either token in a constant-product pool.
 */
const floorUsd = 1_000
const maxImpact = 0.05

/**
 * Returns prices of `tokens` by the pools that move least, against the stables, then against connectors that
 * have a price. Tokens with shallow pools have none. Works in slices, since pools are decoded when first met.
 */
export async function computePrices({ tokens, offers, connectors, stables }: PriceInput): Promise<Prices> {
  const decimals = new Map(tokens.map((token) => [token.address, token.decimals]))
  const prices = new Map<Address, number>()
  const pause = createPause()
  const isListed = (token: Address) => decimals.has(token)
  const anchors = stables.filter(isListed)
  const nominal = new Map(anchors.map((stable) => [stable, 1]))
  for (const stable of anchors) {
    const found = await readPrices([stable], anchors, nominal)
    prices.set(stable, median([1, ...found.map(({ price }) => price)]))
  }

  let left = connectors.filter((token) => isListed(token) && !prices.has(token))
  while (left.length > 0) {
    const deepest = deepestOf(await readPrices(left, [...prices.keys()], prices))
    if (deepest === undefined) break
    prices.set(deepest.token, deepest.price)
    left = left.filter((token) => token !== deepest.token)
  }

  const references = [...prices.keys()]
  for (const { address } of tokens) {
    if (prices.has(address)) continue
    const deepest = deepestOf(await readPrices([address], references, prices))
    if (deepest !== undefined) prices.set(address, deepest.price)
  }
  return prices

  /** The prices of `some` tokens in each of `references`, where there is one. */
  async function readPrices(
    some: readonly Address[],
    references: readonly Address[],
    known: Prices,
  ): Promise<Candidate[]> {
    const found: Candidate[] = []
    for (const token of some) {
      for (const reference of references) {
        found.push(...priceIn(token, reference, known))
        await pause()
      }
    }
    return found
  }

  /** The price of `token` by its deepest pool with `reference`. */
  function priceIn(token: Address, reference: Address, known: Prices): Candidate[] {
    const worth = known.get(reference)
    if (worth === undefined || token === reference) return []
    const [own, others] = [10 ** (decimals.get(token) ?? 0), 10 ** (decimals.get(reference) ?? 0)]
    const purchases = new Map(offers(reference, token).map((edge) => [edge.pool.address, edge]))
    const found = offers(token, reference).flatMap((sale): Candidate[] => {
      const purchase = purchases.get(sale.pool.address)
      if (purchase === undefined) return []
      // The geometric mean of both directions is without the fee.
      const mid = Math.sqrt(sale.start / purchase.start)
      const price = mid * (own / others) * worth
      const sold = impact(sale, (floorUsd / price) * own)
      const bought = impact(purchase, (floorUsd / worth) * others)
      return [{ token, price, pool: sale.pool.address, impact: Math.max(sold, bought) }]
    })
    const deepest = deepestOf(found.filter(({ price, impact }) => price > 0 && impact <= maxImpact))
    return deepest === undefined ? [] : [deepest]
  }
}

/** Longest turn of the event loop, in milliseconds. */
const sliceMs = 4

function createPause(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < sliceMs) return undefined
    return setImmediate().then(() => {
      began = performance.now()
    })
  }
}

type Candidate = { token: Address; price: number; pool: Address; impact: number }

function deepestOf(found: readonly Candidate[]): Candidate | undefined {
  return found.reduce<Candidate | undefined>((best, one) => {
    if (best === undefined || one.impact < best.impact) return one
    return one.impact === best.impact && one.pool < best.pool ? one : best
  }, undefined)
}

/** The part of what is bought at the marginal price that is lost to the move of the price. */
function impact({ curve, start }: PoolEdge, amount: number): number {
  const loss = 1 - curve.bought(amount) / (start * amount)
  return Number.isFinite(loss) ? loss : 1
}

/** Of two in the middle the one nearer to 1: one stable's word is not enough. */
function median(prices: readonly number[]): number {
  const sorted = prices.toSorted((a, b) => a - b)
  const [low = 1, high = 1] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ]
  return Math.abs(low - 1) <= Math.abs(high - 1) ? low : high
}
