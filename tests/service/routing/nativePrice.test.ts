import { describe, expect, it } from 'vitest'
import { findRoute } from '../../../service/routing/findRoute.ts'
import { nativePrice } from '../../../service/routing/nativePrice.ts'
import { buy, ground, marketOf, requestOf, tokenAt, v2Pool, weth } from '../../helpers/service/randomPools.ts'

/** Each pool of the row gives twice the next token. */
function rowOf(...tokens: number[]) {
  return tokens.slice(1).map((to, i) => {
    const from = tokens[i] as number
    const reserves = from < to ? ([1e24, 2e24] as const) : ([2e24, 1e24] as const)
    return v2Pool({ tokens: from < to ? [from, to] : [to, from], reserves, feePpm: 0 }, i)
  })
}

const [wethIndex, buyIndex] = [4, 1]
const trusted = [5, 6, 7, 8, 9].map(tokenAt)

describe('nativePrice', () => {
  it.each([
    [1, [wethIndex, buyIndex]],
    [2, [wethIndex, 5, buyIndex]],
    [3, [wethIndex, 5, 6, buyIndex]],
    [5, [wethIndex, 5, 6, 7, 8, buyIndex]],
  ])('prices a token %i pools away from the wrapped native token', (pools, row) => {
    const price = nativePrice(marketOf(rowOf(...row), trusted), ground, buy)
    expect(price).toBeGreaterThan(2 ** pools * 0.9999)
    expect(price).toBeLessThan(2 ** pools)
  })

  it('takes the best of several ways of the same length', () => {
    const pools = [
      ...rowOf(wethIndex, 5, 6, 8, buyIndex),
      v2Pool({ tokens: [5, 7], reserves: [1e24, 3e24], feePpm: 0 }, 10),
      v2Pool({ tokens: [7, 8], reserves: [1e24, 2e24], feePpm: 0 }, 11),
    ]
    expect(nativePrice(marketOf(pools, trusted), ground, buy) / 24).toBeCloseTo(1, 4)
  })

  it('returns 0 for a token without a way to the wrapped native token', () => {
    expect(nativePrice(marketOf(rowOf(5, buyIndex), trusted), ground, buy)).toBe(0)
    expect(nativePrice(marketOf([]), ground, buy)).toBe(0)
  })

  it('returns 1 for the wrapped native token', () => {
    expect(nativePrice(marketOf([]), ground, weth)).toBe(1)
  })
})

it('omits pools that do not pay for their gas where only connectors of connectors trade the bought token', () => {
  // Sold, 5, bought; the native token is three pools away.
  const far = [
    v2Pool({ tokens: [4, 6], reserves: [1e24, 1e24], feePpm: 0 }, 20),
    v2Pool({ tokens: [5, 6], reserves: [1e24, 1e24], feePpm: 0 }, 21),
  ]
  const parallel = [0, 1, 2].map((i) => v2Pool({ tokens: [1, 5], reserves: [1e22, 1e22], feePpm: 3_000 }, i))
  const first = v2Pool({ tokens: [0, 5], reserves: [1e24, 1e24], feePpm: 0 }, 30)
  const market = marketOf([...far, ...parallel, first], trusted)
  const route = (gasPrice: bigint) => findRoute(market, ground, requestOf(10n ** 18n, { gasPrice }))
  expect(route(0n)?.edges.length).toBe(4)
  expect(route(10n ** 10n)?.edges.length).toBe(2)
})
