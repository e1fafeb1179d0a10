import { gasCosts } from '../../service/pools/gasCosts.ts'
import type { Priced } from '../routing/trades.ts'
import type { PeerMarket } from './peer.ts'
import type { SettledHop } from './settle.ts'

/** By our constants, and by the router's own estimate. */
export type GasUse = { shared: number; own: number }

/** Returns the gas of hops by service/pools/gasCosts.ts, the same for every router. */
export function sharedGas(hops: readonly Pick<SettledHop, 'pool' | 'sell' | 'buy' | 'sold'>[]): number {
  return hops.reduce(
    (sum, { pool, sell, buy, sold }) => sum + Number(pool.gas(sell, buy, sold)),
    Number(gasCosts.base),
  )
}

export type NetOf = ReturnType<typeof netOf>

/** Returns a function for returns less gas, in base units of `buy` at the market's true prices. */
export function netOf({ tokens, hubs }: PeerMarket, buy: Priced, gasPrice: bigint) {
  const native = tokens.find(({ address }) => address === hubs.WETH)
  if (native === undefined) throw new Error('The market prices no native token.')
  const weiWorth = (native.usd / 1e18 / buy.usd) * 10 ** buy.decimals
  return ({ returns, gas }: { returns: bigint; gas: GasUse }, by: keyof GasUse): number =>
    Number(returns) - gas[by] * Number(gasPrice) * weiWorth
}
