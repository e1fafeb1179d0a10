import type { Address } from '../../service/config.ts'
import type { SettledRoute } from '../../service/routing/gasParts.ts'
import type { RouteLimits } from '../../service/routing/routeLimits.ts'
import { toRouteLimits, unlimited } from '../routing/trades.ts'
import { type Arena, allowanceAt, hopsOf, lossOf, openEngine, type PeerSide } from './compare.ts'
import { type NetOf, sharedGas } from './gas.ts'
import type { PeerTrade } from './peer.ts'

/**
 * Returns why a peer's route returns more: the first change of request or pools after which ours is as
 * good, and how the routes differ.
 */
export async function explainLoss(
  { market, engine }: Arena,
  trade: PeerTrade,
  theirs: PeerSide,
  net: NetOf,
): Promise<string> {
  const limits = toRouteLimits(market.config, trade.gasPrice)
  const own = await engine.route({ ...trade, limits })
  const pools = theirs.hops.map(({ pool }) => pool.address)
  const inner = (route: SettledRoute | undefined) => route?.tokens.slice(1, -1) ?? []
  const theirTokens = new Set(theirs.hops.flatMap(({ sell, buy }) => [sell, buy]))
  const connectors = [...new Set([...theirTokens, ...inner(own)])].filter(
    (token) => token !== trade.sell && token !== trade.buy,
  )
  const narrow = await openEngine(
    market,
    market.pools.filter(({ listing }) => pools.includes(listing.address)),
  )
  const isEnough = (route: SettledRoute | undefined) => {
    if (route === undefined) return false
    const ours = { returns: route.returns, gas: { shared: sharedGas(hopsOf(route)), own: 0 } }
    return lossOf(net(theirs, 'shared'), net(ours, 'shared'), theirs) <= allowanceAt(trade.gasPrice)
  }
  const finds = async (changed: RouteLimits, among = engine) => {
    return isEnough(await among.route({ ...trade, limits: changed }))
  }
  const causes: [string, () => boolean | Promise<boolean>][] = [
    ['limit on pieces', () => finds(unlimited(limits))],
    ['tokens not considered', () => finds({ ...limits, connectors })],
    ['pools not chosen', () => finds({ ...limits, connectors }, narrow)],
    ['the peer sells to one pool twice', () => new Set(pools).size < pools.length],
    ['limit on pieces, and tokens not considered', () => finds({ ...unlimited(limits), connectors })],
  ]
  let cause = 'split over the same pools'
  for (const [name, holds] of causes) {
    if (!(await holds())) continue
    cause = name
    break
  }
  await narrow.stop()
  return `${cause}; ${describe(own, pools)}`
}

function describe(route: SettledRoute | undefined, theirs: readonly Address[]): string {
  const ours = new Set((route?.edges ?? []).map(({ pool }) => pool.address))
  const shared = new Set(theirs.filter((pool) => ours.has(pool))).size
  return `hops: ${ours.size} of ours, ${theirs.length} of the peer’s, ${shared} pools in both`
}
