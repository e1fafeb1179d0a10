import { decodeFunctionData, zeroAddress } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { readArtifact } from '../../../contracts/artifact.ts'
import { localnetConfig } from '../../../dev/config.ts'
import { findRoute } from '../../../service/routing/findRoute.ts'
import type { Route } from '../../../service/routing/route.ts'
import { encodeSwap } from '../../../service/swap/calldata.ts'
import { nativeTokenAddress } from '../../../service/tokens/registry.ts'
import { decodeRouteWords } from '../../helpers/routeWords.ts'
import {
  buy,
  ground,
  marketOf,
  mid,
  requestOf,
  sell,
  v2Pool,
  v3Pool,
  weth,
} from '../../helpers/service/randomPools.ts'

const receiver = '0x00000000000000000000000000000000000c0ffe'
const referrer = '0x000000000000000000000000000000000000fee5'
const config = localnetConfig(31337)
const pools = [
  v2Pool({ tokens: [0, 2], reserves: [1e21, 1e21], feePpm: 3_000 }, 0),
  v3Pool(
    { tokens: [0, 2], tick: 0, feePpm: 500, positions: [{ below: 5_000, above: 5_000, liquidity: 1e22 }] },
    1,
  ),
  v2Pool({ tokens: [1, 2], reserves: [1e24, 1e24], feePpm: 2_500 }, 2),
  v2Pool({ tokens: [1, 4], reserves: [1e24, 1e24], feePpm: 3_000 }, 3),
]

let route: Route
beforeAll(() => {
  route = findRoute(marketOf(pools), ground, requestOf(99n * 10n ** 18n))!
})

function decode(data: `0x${string}`) {
  const { abi } = readArtifact('SwapRouter')
  const { functionName, args } = decodeFunctionData({ abi, data })
  // biome-ignore lint/suspicious/noExplicitAny: the artifact's ABI is not known to the type checker
  const [executor, description, bytes] = args as any[]
  return { functionName, executor, description, route: decodeRouteWords(bytes) }
}

describe('encodeSwap', () => {
  it('encodes the public function, the router as executor and srcReceiver, and the route in data', () => {
    const permit = `0x${'ab'.repeat(7 * 32)}` as const
    const call = encodeSwap({
      ...{ config, route, sell, buy, receiver, referrer, permit },
      ...{ amount: 10n ** 20n, minReturn: 5n, deadline: 1_764_000_000n, feePpm: 10_000 },
    })
    expect(call.to).toBe(config.router)
    expect(call.value).toBe(0n)
    expect(call.data.slice(0, 10)).toBe('0x07ed2379')

    const decoded = decode(call.data)
    expect(decoded.executor.toLowerCase()).toBe(config.router)
    expect(lower(decoded.description)).toEqual({
      ...{ srcToken: sell, dstToken: buy, srcReceiver: config.router, dstReceiver: receiver },
      ...{ amount: 10n ** 20n, minReturnAmount: 5n, flags: 0n },
    })
    const { connectors, branches, ...rest } = decoded.route
    expect(rest).toEqual({ feePpm: 10_000, referrer, deadline: 1_764_000_000n, permit })
    expect(connectors).toEqual([mid])
    expect(branches).toMatchObject([{ weight: 0 }])
    const hops = branches[0]!.hops
    expect(hops.map(lower)).toEqual(
      route.edges.map(({ pool, from, to, weight }) => ({
        ...{ kind: pool.source === 'UNISWAP_V2' ? 2 : 3, from, to, weight },
        ...{ detail: [3_000, 0, 2_500][pools.indexOf(pool)], pool: pool.address },
      })),
    )
    expect(hops.length).toBe(3)
  })

  it('sets the value when the native token is sold, and encodes no referrer without a fee', () => {
    const coinRoute = findRoute(marketOf(pools), ground, {
      ...requestOf(10n ** 18n),
      sell: nativeTokenAddress,
    })!
    const call = encodeSwap({
      ...{
        config,
        route: coinRoute,
        sell: nativeTokenAddress,
        buy,
        receiver,
        referrer: undefined,
        permit: undefined,
      },
      ...{ amount: 10n ** 18n, minReturn: 0n, deadline: 1n, feePpm: 0 },
    })
    expect(call.value).toBe(10n ** 18n)
    const decoded = decode(call.data).route
    expect(decoded).toMatchObject({ feePpm: 0, referrer: zeroAddress, permit: '0x' })
    expect(decoded.connectors).toEqual([weth])
    expect(decoded.branches[0]!.hops[0]).toMatchObject({ kind: 0, from: 0, to: 1, weight: 0 })
  })

  it('encodes the given flags, and the pool id for a kind that has one', () => {
    const encodeWith = (nonce: string) => {
      const named = route.edges.map((edge) => {
        const aux = `${edge.pool.address}0002${nonce.padStart(20, '0')}` as const
        return { ...edge, pool: { ...edge.pool, encode: () => ({ kind: 4, fee: 0, aux }) } }
      })
      return encodeSwap({
        ...{ config, sell, buy, receiver, referrer: undefined, permit: undefined, flags: 5n },
        ...{ route: { ...route, branches: [{ weight: 0, edges: named }] } },
        ...{ amount: 10n ** 20n, minReturn: 5n, deadline: 1n, feePpm: 0 },
      })
    }
    const { description, route: decoded } = decode(encodeWith('5432abcd').data)
    expect(description.flags).toBe(5n)
    const hops = decoded.branches[0]!.hops.map(({ kind, pool, detail }) => [kind, pool, detail])
    expect(hops).toEqual(route.edges.map(({ pool }) => [4, pool.address, 0x00025432abcd]))
    expect(() => encodeWith('15432abcd')).toThrow(/range/)
  })

  it('gives every branch but the last a word with its weight and its number of hops', () => {
    const [first, second, third] = route.edges
    const branches = [
      { weight: 250_000, edges: [first!, second!] },
      { weight: 125_000, edges: [third!] },
      { weight: 0, edges: [second!] },
    ]
    const call = encodeSwap({
      ...{ config, sell, buy, receiver, referrer: undefined, permit: undefined, flags: 1n },
      ...{ route: { ...route, branches }, amount: 10n ** 20n, minReturn: 5n, deadline: 1n, feePpm: 0 },
    })
    const decoded = decode(call.data).route.branches
    expect(decoded.map(({ weight, hops }) => [weight, hops.map(({ pool }) => pool)])).toEqual(
      branches.map(({ weight, edges }) => [weight, edges.map(({ pool }) => pool.address)]),
    )
  })
})

function lower(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.toLowerCase() : value,
    ]),
  )
}
