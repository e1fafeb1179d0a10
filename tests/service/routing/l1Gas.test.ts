import { describe, expect, it } from 'vitest'
import { findRoute } from '../../../service/routing/findRoute.ts'
import { toL1Gas } from '../../../service/routing/l1Gas.ts'
import { ground, marketOf, requestOf, v2Pool } from '../../helpers/service/randomPools.ts'

const gasPrice = 10n ** 7n

/** Two hops pay 0.3 % more than one. */
const pools = [
  v2Pool({ tokens: [0, 1], reserves: [1e24, 0.997e24], feePpm: 3_000 }, 0),
  v2Pool({ tokens: [0, 2], reserves: [1e24, 1e24], feePpm: 1_500 }, 1),
  v2Pool({ tokens: [2, 1], reserves: [1e24, 1e24], feePpm: 1_500 }, 2),
  // The bought token's price.
  v2Pool({ tokens: [4, 1], reserves: [1e24, 1e24], feePpm: 3_000 }, 3),
]

function hopsAt(l1ByteFee: bigint, limits = {}): number | undefined {
  const request = requestOf(10n ** 20n, { gasPrice, l1ByteFee, parts: 1, ...limits })
  return findRoute(marketOf(pools), ground, request)?.edges.length
}

describe('toL1Gas', () => {
  it('is the fee of the words in gas, and nothing without a gas price or a fee', () => {
    const once = toL1Gas({ gasPrice, l1ByteFee: 5n * gasPrice })
    const twice = toL1Gas({ gasPrice, l1ByteFee: 10n * gasPrice })
    expect(once).toEqual({ hop: 5 * 28, connector: 5 * 23 })
    expect(twice).toEqual({ hop: 2 * once.hop, connector: 2 * once.connector })
    const none = { hop: 0, connector: 0 }
    expect([toL1Gas({ gasPrice: 0n, l1ByteFee: 1n }), toL1Gas({ gasPrice })]).toEqual([none, none])
  })
})

describe('findRoute with an L1 fee', () => {
  it('takes fewer hops once the words of a hop and its connector cost more than it wins', () => {
    expect(hopsAt(0n)).toBe(2)
    // One hop less saves 28 and 23 bytes: here 0.3 % of 100 tokens are about 0.27.
    expect(hopsAt((26n * 10n ** 16n) / 51n / 2n)).toBe(2)
    expect(hopsAt((40n * 10n ** 16n) / 51n)).toBe(1)
  })

  it('counts the fee against no gas limit', () => {
    const gasLimit = findRoute(marketOf(pools), ground, requestOf(10n ** 20n, { gasPrice }))!.gas
    expect(hopsAt(10n ** 12n, { gasLimit })).toBe(2)
    expect(hopsAt(10n ** 12n, { gasLimit: gasLimit - 1n })).toBe(1)
  })
})
