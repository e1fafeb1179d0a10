import type { Address } from '../../service/config.ts'
import type { Concentrated } from '../../service/pools/concentrated.ts'
import type { Reserves } from '../../service/pools/constantProduct.ts'
import type { Pool } from '../../service/pools/pool.ts'
import type { PoolSnapshot } from '../../service/pools/poolType.ts'
import type { Curve } from '../../service/pools/priceCurve.ts'
import { toPool } from '../../service/pools/registry.ts'
import type { Peer, PeerMarket, PeerRoute } from './peer.ts'

type RToken = { name: string; symbol: string; address: Address; decimals: number }
type Quoted = { out: number; gasSpent: number }

declare class RPool {
  constructor(
    ...given: [
      address: string,
      token0: RToken,
      token1: RToken,
      fee: number,
      reserve0: bigint,
      reserve1: bigint,
      ...rest: unknown[],
    ]
  )
  readonly address: string
}

type MultiRoute = {
  status: 'Success' | 'NoWay' | 'Partial'
  legs: { poolAddress: string; tokenFrom: RToken; tokenTo: RToken; swapPortion: number }[]
  gasSpent: number
}

/** The part of `@sushiswap/tines` in use. */
export type Tines = {
  RPool: typeof RPool
  ConstantProductRPool: typeof RPool
  UniV3Pool: typeof RPool
  findMultiRouteExactIn(
    from: RToken,
    to: RToken,
    amount: bigint,
    pools: readonly RPool[],
    base: RToken,
    gasPrice: number,
    flows?: number,
  ): MultiRoute
}

/** Equal flows of the second answer; by default tines chooses at most a dozen. */
const manyFlows = 100

/** SushiSwap's router. It has no pools of other kinds: those get our curves where `withVault` is true. */
export function createTines(tines: Tines, withVault: boolean): Peer {
  return {
    name: withVault ? 'tines, our curves of other kinds' : 'tines',
    keep: (pools) =>
      pools.filter(
        ({ listing: { kind } }) => withVault || kind === 'constant-product' || kind === 'concentrated',
      ),
    open(market) {
      const tokens = toTokens(market)
      const pools = market.pools.flatMap((snapshot) => toPools(tines, snapshot, tokens))
      const base = tokens.get(market.hubs.WETH) as RToken
      return async ({ sell, buy, amount, gasPrice }) => {
        const [from, to] = [tokens.get(sell), tokens.get(buy)] as [RToken, RToken]
        const find = (flows?: number) =>
          tines.findMultiRouteExactIn(from, to, amount, pools, base, Number(gasPrice), flows)
        const found = gasPrice === 0n ? [find(), find(manyFlows)] : [find()]
        return found.flatMap((route) => (route.status === 'Success' ? [toPeerRoute(route, amount)] : []))
      }
    },
  }
}

function toPeerRoute({ legs, gasSpent }: MultiRoute, amount: bigint): PeerRoute {
  const own = legs.map(({ poolAddress, tokenFrom, tokenTo, swapPortion }) => ({
    pool: poolAddress.slice(0, 42) as Address,
    sell: tokenFrom.address,
    buy: tokenTo.address,
    part: swapPortion,
  }))
  return { branches: [{ amount, legs: own }], gas: gasSpent }
}

function toTokens({ tokens }: PeerMarket): Map<Address, RToken> {
  return new Map(
    tokens.map(({ address, decimals }) => [address, { name: address, symbol: address, address, decimals }]),
  )
}

function toPools(
  tines: Tines,
  snapshot: PoolSnapshot,
  tokens: ReadonlyMap<Address, RToken>,
): readonly RPool[] {
  const { listing, state } = snapshot
  const pool = toPool(snapshot)
  const pair = listing.tokens.map((token) => tokens.get(token)) as [RToken, RToken]
  if (listing.kind === 'constant-product') {
    const { feePpm } = listing.fixed as { feePpm: number }
    const { reserve0, reserve1 } = state as Reserves
    return [new tines.ConstantProductRPool(pool.address, ...pair, feePpm / 1e6, reserve0, reserve1)]
  }
  if (listing.kind === 'concentrated') {
    const { feePpm } = listing.fixed as { feePpm: number }
    const { sqrtPrice, tick, liquidity, ticks } = state as Concentrated
    const own = ticks.map(({ index, net }) => ({ index, DLiquidity: net }))
    const reserves = holdingsOf(pool, listing.tokens[0] as Address, listing.tokens[1] as Address)
    const price = [tick, liquidity, sqrtPrice, own]
    return [new tines.UniV3Pool(pool.address, ...pair, feePpm / 1e6, ...reserves, ...price)]
  }
  return pairsOf(listing.tokens).map(([one, other]) => {
    const sides = [tokens.get(one), tokens.get(other)] as [RToken, RToken]
    const curves = { down: pool.curve(one, other), up: pool.curve(other, one) }
    const own = `${pool.address}:${one}:${other}`
    const gas = Number(pool.gas(one, other, 0n))
    return createCurvePool(tines, own, sides, curves, holdingsOf(pool, one, other), gas)
  })
}

/** The most that can be bought of each token. */
function holdingsOf(pool: Pool, one: Address, other: Address): [bigint, bigint] {
  const most = (sell: Address, buy: Address) => BigInt(Math.ceil(pool.curve(sell, buy).most))
  return [most(other, one), most(one, other)]
}

function pairsOf(tokens: readonly Address[]): [Address, Address][] {
  return tokens.flatMap((one, i) =>
    tokens.slice(i + 1).map((other): [Address, Address] => (one < other ? [one, other] : [other, one])),
  )
}

function createCurvePool(
  tines: Tines,
  address: string,
  sides: [RToken, RToken],
  { down, up }: { down: Curve; up: Curve },
  holdings: [bigint, bigint],
  gas: number,
): RPool {
  class CurvePool extends tines.RPool {
    calcOutByIn(amount: number, isDown: boolean): Quoted {
      const { capacity, bought } = isDown ? down : up
      if (amount > capacity) throw new Error('OutOfLiquidity')
      return { out: bought(amount), gasSpent: gas }
    }

    calcInByOut(amount: number, isDown: boolean): { inp: number; gasSpent: number } {
      const { capacity, most, bought } = isDown ? down : up
      if (amount >= most) return { inp: Number.POSITIVE_INFINITY, gasSpent: gas }
      let [low, high] = [0, capacity]
      for (let i = 0; i < 100; i++) {
        const middle = (low + high) / 2
        if (bought(middle) < amount) low = middle
        else high = middle
      }
      return { inp: high, gasSpent: gas }
    }

    calcCurrentPriceWithoutFee(isDown: boolean): number {
      return (isDown ? down : up).slope(0)
    }
  }
  return new CurvePool(address, ...sides, 0, ...holdings)
}
