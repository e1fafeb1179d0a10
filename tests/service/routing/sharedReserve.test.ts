import { expect, it } from 'vitest'
import { converterPool } from '../../../service/pools/converter.ts'
import { findRoute } from '../../../service/routing/findRoute.ts'
import {
  buy,
  far,
  ground,
  marketOf,
  mid,
  requestOf,
  tokenAt,
  v2Pool,
} from '../../helpers/service/randomPools.ts'

const whole = 10n ** 18n
const [pocket, module, dai] = [0xf1, 0xf2, 0xf3].map(tokenAt)
const pools = [mid, far].map((money, i) =>
  converterPool(
    {
      ...{ kind: 'converter', source: 'MAKER_PSM', address: tokenAt(0xe1 + i), tokens: [buy, money] },
      fixed: { form: 'psm', isOneWay: false, unit: 1n, parties: [pocket!, module!, dai!] },
    },
    // Gems and DAI that both pay from.
    {
      ...{ rates: [0n, 0n], maxSold: [10n ** 40n, 10n ** 40n] },
      maxBought: [100_000n * whole, 100_000n * whole],
    },
  ),
)
/** Sold for either money at the same price, and directly at a worse one. */
const ways = [2, 3, 1].map((token, i) => {
  return v2Pool({ tokens: [0, token], reserves: [1e27, token === 1 ? 0.97e27 : 1e27], feePpm: 3_000 }, i)
})

it.each([
  [40_000n, 1],
  [90_000n, 1],
  [160_000n, 2],
  [400_000n, 2],
] as const)('does not buy more of one balance by two pools that pay from it: %i', (amount, least) => {
  const route = findRoute(marketOf([...ways, ...pools]), ground, requestOf(amount * whole))!
  const byModules = route.edges.filter(({ pool }) => pools.includes(pool))
  const bought = byModules.reduce((sum, edge) => sum + edge.bought, 0n)
  expect(bought).toBeLessThanOrEqual(100_000n * whole)
  expect(bought).toBeGreaterThan(amount < 100_000n ? (amount * 99n * whole) / 100n : 95_000n * whole)
  expect(route.edges.length).toBeGreaterThanOrEqual(2 * least - 1)
})

it('names the balances of both directions', () => {
  const [one, other] = pools as [(typeof pools)[0], (typeof pools)[0]]
  expect(one.reserve!(buy)).toEqual(other.reserve!(buy))
  expect(one.reserve!(mid)).toEqual(other.reserve!(far))
  expect(one.reserve!(mid).name).not.toBe(one.reserve!(buy).name)
})
