import type { Address } from '../../service/config.ts'
import type { Route } from '../../service/routing/route.ts'
import { toRouteLimits, unlimited } from '../routing/trades.ts'
import { type Arena, allowanceAt, hopsOf, lossOf, openEngine, type PeerSide } from './compare.ts'
import { type NetOf, sharedGas } from './gas.ts'
import type { PeerTrade } from './peer.ts'

/** Returns why a peer's route returns more: the first change that ends the loss, and how routes differ. */
export async function explainLoss(
  { market, engine }: Arena,
  trade: PeerTrade,
  theirs: PeerSide,
  net: NetOf,
): Promise<string> {
  const limits = toRouteLimits(market.config, trade.gasPrice)
  const used = theirs.hops.map(({ pool }) => pool.address)
  const difference = describe(engine.route({ ...trade, limits }), used)
  const isEnough = (route: Route | undefined) => {
    if (route === undefined) return false
    const ours = { returns: route.returns, gas: { shared: sharedGas(hopsOf(route)), own: 0 } }
    return lossOf(net(theirs, 'shared'), net(ours, 'shared'), theirs) <= allowanceAt(trade.gasPrice)
  }
  if (isEnough(engine.route({ ...trade, limits: unlimited(limits) }))) return `limit on pieces; ${difference}`
  const narrow = await openEngine(
    market,
    market.pools.filter(({ listing }) => used.includes(listing.address)),
  )
  const narrowed = narrow.route({ ...trade, limits })
  await narrow.stop()
  if (isEnough(narrowed)) return `choice of pools: found where only the peer's are; ${difference}`
  if (new Set(used).size < used.length) return `the peer sells to one pool twice; ${difference}`
  return `split over the same pools; ${difference}`
}

function describe(route: Route | undefined, used: readonly Address[]): string {
  const ours = new Set((route?.edges ?? []).map(({ pool }) => pool.address))
  const shared = new Set(used.filter((pool) => ours.has(pool))).size
  return `hops: ${ours.size} of ours, ${used.length} of the peer's, ${shared} pools in both`
}
