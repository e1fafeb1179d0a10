import type { Localnet } from '../../dev/localnet.ts'
import { tokens as localTokens } from '../../dev/pools/tokens.ts'
import type { Address } from '../../service/config.ts'
import { createNodeFeed } from '../../service/indexer/nodeFeed.ts'
import type { PoolSnapshot } from '../../service/pools/poolType.ts'
import { createRandom } from '../random.ts'
import { createMixedSynthetic } from '../routing/mixedSynthetic.ts'
import { createSynthetic, type Synthetic } from '../routing/synthetic.ts'
import type { Priced } from '../routing/trades.ts'
import { createFewTicks } from './fewTicks.ts'
import { type PeerMarket, toHubs } from './peer.ts'

export type Pair = { sell: Priced; buy: Priced }

/** Pairs to trade in a market at every size. */
export type Section = { title: string; market: PeerMarket; pairs: readonly Pair[] }

const syntheticPools = 1_000
const drawn = 14
const longest = 8

/**
 * Returns the local chain's market at its present block, without the converters of shares: each is the only
 * pool of its shares, so that no trade between other tokens passes it.
 */
export async function readLocalMarket({ config, rpcUrl, tokens }: Localnet): Promise<PeerMarket> {
  let pools: readonly PoolSnapshot[] = []
  const feed = createNodeFeed(config, rpcUrl, { pollMs: 3_600_000 })
  await feed.start(async (update) => {
    pools = [...update.pools]
  })
  await feed.stop()
  const priced = localTokens.map(({ symbol, decimals, cents }) => {
    return { address: tokens[symbol], decimals, usd: Number(cents) / 100 }
  })
  const known = new Set<Address>(priced.map(({ address }) => address))
  pools = pools.filter(({ listing }) => listing.tokens.every((token) => known.has(token)))
  const { WETH, USDC, USDT, DAI, WBTC } = tokens
  return { name: 'localnet', config, tokens: priced, pools, hubs: { WETH, USDC, USDT, DAI, WBTC } }
}

/** Returns what is traded where, from the local chain's market and synthetic ones. */
export function createSections(local: PeerMarket): Section[] {
  const synthetic = toMarket('synthetic', createSynthetic(syntheticPools))
  const mixed = toMarket('mixed', createMixedSynthetic(syntheticPools))
  const { tokens } = synthetic
  const fewTicks = createFewTicks()
  const untaxed = new Set(local.config.tokens.flatMap(({ address, isFoT }) => (isFoT ? [] : [address])))
  const pairs = pairUp(local.tokens.filter(({ address }) => untaxed.has(address)))
  return [
    { title: 'Local chain, all pairs', market: local, pairs: pairs.filter((pair) => !isStable(local, pair)) },
    {
      title: 'Local chain, stable pairs',
      market: local,
      pairs: pairs.filter((pair) => isStable(local, pair)),
    },
    { title: 'Synthetic, drawn by fame', market: synthetic, pairs: draw(tokens, drawn) },
    { title: 'Synthetic, stable pairs', market: synthetic, pairs: pairUp(tokens.slice(1, 4)) },
    { title: 'Synthetic, at least three connectors', market: synthetic, pairs: farthest(synthetic, longest) },
    { title: 'All kinds, drawn by fame', market: mixed, pairs: draw(mixed.tokens, drawn) },
    { title: 'All kinds, pegged pairs', market: mixed, pairs: pairUp(pegged(mixed.tokens)) },
    {
      title: 'Pools with few ticks',
      market: fewTicks,
      pairs: pairUp(fewTicks.thin).filter((_, i) => i % 4 === 0),
    },
  ]
}

function toMarket(name: string, { config, tokens, standings }: Synthetic): PeerMarket {
  return { name, config, tokens, pools: standings, hubs: toHubs(tokens) }
}

/** Two hubs, and tokens that are pegged to hubs or wrap them. */
function pegged(tokens: readonly Priced[]): Priced[] {
  return [0, 1, 7, 17, 27, 28].map((rank) => tokens[rank] as Priced)
}

function pairUp(tokens: readonly Priced[]): Pair[] {
  return tokens.flatMap((sell) => tokens.flatMap((buy) => (sell === buy ? [] : [{ sell, buy }])))
}

function isStable({ hubs: { USDC, USDT, DAI } }: PeerMarket, { sell, buy }: Pair): boolean {
  return [sell, buy].every(({ address }) => address === USDC || address === USDT || address === DAI)
}

function draw(tokens: readonly Priced[], count: number): Pair[] {
  const random = createRandom(25)
  const one = () => tokens[Math.floor(tokens.length * random.between(0, 1) ** 3)] as Priced
  return Array.from({ length: count }, () => {
    const sell = one()
    let buy = one()
    while (buy === sell) buy = one()
    return { sell, buy }
  })
}

/** Pairs that no path of two connectors joins, the most famous first. */
function farthest({ pools, tokens }: PeerMarket, count: number): Pair[] {
  const near = new Map<Address, Set<Address>>()
  for (const { listing } of pools) {
    for (const one of listing.tokens) {
      for (const other of listing.tokens) {
        if (one !== other) near.set(one, (near.get(one) ?? new Set()).add(other))
      }
    }
  }
  const found: Pair[] = []
  const used = new Set<Priced>()
  for (const sell of tokens) {
    if (found.length === count) break
    const reached = within(sell.address, 3)
    const all = within(sell.address, 6)
    const buy = tokens.find(
      (token) => !used.has(token) && all.has(token.address) && !reached.has(token.address),
    )
    if (buy === undefined || used.has(sell)) continue
    used.add(sell).add(buy)
    found.push({ sell, buy })
  }
  return found

  function within(start: Address, hops: number): Set<Address> {
    const seen = new Set([start])
    for (let hop = 0; hop < hops; hop++) {
      for (const token of [...seen]) for (const other of near.get(token) ?? []) seen.add(other)
    }
    return seen
  }
}
