import type { Address, ChainConfig } from '../../service/config.ts'
import type { PoolSnapshot } from '../../service/pools/poolType.ts'
import type { Priced } from '../routing/trades.ts'

/** Pools of one block. */
export type PeerMarket = {
  name: string
  config: ChainConfig
  tokens: readonly Priced[]
  pools: readonly PoolSnapshot[]
  hubs: Hubs
}

/** Tokens in the place of a public chain's best known. */
export type Hubs = Record<'WETH' | 'USDC' | 'USDT' | 'DAI' | 'WBTC', Address>

export type PeerTrade = {
  sell: Address
  buy: Address
  /** Base units. */
  amount: bigint
  /** Wei. */
  gasPrice: bigint
}

/** `part` is a share of what is left of `sell` in the branch; 1 takes the rest. */
export type Leg = { pool: Address; sell: Address; buy: Address; part: number }

/** Branches are executed one after another, legs in topological order. */
export type PeerRoute = {
  branches: readonly { amount: bigint; legs: readonly Leg[] }[]
  /** The peer's own estimate. */
  gas: number
}

export type Peer = {
  name: string
  /** Pools of the kinds it knows. */
  keep(pools: readonly PoolSnapshot[]): PoolSnapshot[]
  /** The router answers several routes where one of its settings is left to its user. */
  open(market: PeerMarket): (trade: PeerTrade) => Promise<readonly PeerRoute[]>
}

/** Hubs of a synthetic market, in the order of its tokens. */
export function toHubs(tokens: readonly Priced[]): Hubs {
  const [WETH, USDC, USDT, DAI, WBTC] = tokens.map(({ address }) => address) as [
    Address,
    Address,
    Address,
    Address,
    Address,
  ]
  return { WETH, USDC, USDT, DAI, WBTC }
}
