import type { Address } from '../../service/config.ts'
import { createEngine, type Engine } from '../../service/engine.ts'
import type { PoolSnapshot } from '../../service/pools/poolType.ts'
import type { SettledRoute } from '../../service/routing/gasParts.ts'
import { toAmount, toRouteLimits } from '../routing/trades.ts'
import { createGivenFeed, headerAt } from '../soak/memoryFeed.ts'
import type { Executor } from './execute.ts'
import { explainLoss } from './explain.ts'
import { type GasUse, type NetOf, netOf, sharedGas } from './gas.ts'
import type { Pair, Section } from './markets.ts'
import type { Peer, PeerMarket, PeerRoute, PeerTrade } from './peer.ts'
import { createSettler, type Settled, type Settler } from './settle.ts'

/** Dollars. */
export const sizes = [100, 1_000, 10_000, 100_000, 1_000_000, 3_000_000] as const

/** Wei: free gas, and the usual prices of two times. */
export const gasPrices = [0n, 500_000_000n, 10_000_000_000n] as const

/** Losses above these are reported: gross, and net of gas. */
export const allowedBps = { gross: 0.1, net: 1 }

export type TradeInfo = {
  section: string
  peer: string
  usd: number
  gasPrice: bigint
  sell: string
  buy: string
}

/** Losses are positive where the peer has more, in bps of its gross return. */
export type Comparison = TradeInfo & {
  lossBps: number
  /** As `lossBps`, with each router's own gas estimate. */
  ownLossBps: number
  cause?: string
  executed?: ExecutedPair
}

/** `lossBps` is net of gas; `isExact` is true if both received what was settled. */
export type ExecutedPair = {
  lossBps: number
  grossLossBps: number
  ourGas: number
  peerGas: number
  isExact: boolean
}

/** A trade that only one side could fill is in `onlyOurs` or `onlyPeers`. */
export type Compared = {
  rows: Comparison[]
  onlyOurs: TradeInfo[]
  onlyPeers: TradeInfo[]
  /** Routes of the peer that a pool reverts. */
  faults: string[]
}

/** A peer's own pools, with our engine over the same. */
export type Arena = { market: PeerMarket; engine: Engine; settle: Settler; ask: ReturnType<Peer['open']> }

type Side = { returns: bigint; gas: GasUse }
export type PeerSide = Side & Settled & { route: PeerRoute }

export function openEngine({ config }: PeerMarket, pools: readonly PoolSnapshot[]): Promise<Engine> {
  return createEngine(config, createGivenFeed({ block: headerAt(1), tip: 0n, pools }))
}

/** Compares a peer with our router on every pair of a section; `executor` also executes both. */
export async function compareOn({ title, market, pairs }: Section, peer: Peer, executor?: Executor) {
  const own = { ...market, pools: peer.keep(market.pools) }
  const engine = await openEngine(own, own.pools)
  const arena: Arena = { market: own, engine, settle: createSettler(own.pools), ask: peer.open(own) }
  const compared: Compared = { rows: [], onlyOurs: [], onlyPeers: [], faults: [] }
  for (const { sell, buy } of pairs) {
    const names = { sell: nameOf(market, sell.address), buy: nameOf(market, buy.address) }
    for (const usd of sizes) {
      for (const gasPrice of gasPrices) {
        const trade = { sell: sell.address, buy: buy.address, amount: toAmount(sell, usd), gasPrice }
        const info = { section: title, peer: peer.name, usd, gasPrice, ...names }
        await compareTrade(arena, trade, { sell, buy }, info, compared, executor)
      }
    }
  }
  await engine.stop()
  return compared
}

async function compareTrade(
  arena: Arena,
  trade: PeerTrade,
  { buy }: Pair,
  info: TradeInfo,
  compared: Compared,
  executor: Executor | undefined,
): Promise<void> {
  const { market, engine } = arena
  const net = netOf(market, buy, trade.gasPrice)
  const theirs = pickBest(arena, trade, await arena.ask(trade), net, compared.faults)
  const route = await engine.route({ ...trade, limits: toRouteLimits(market.config, trade.gasPrice) })
  if (route === undefined || theirs === undefined) {
    if (route) compared.onlyOurs.push(info)
    if (theirs) compared.onlyPeers.push(info)
    return
  }
  const ours = { returns: route.returns, gas: { shared: sharedGas(hopsOf(route)), own: Number(route.gas) } }
  const lossBps = lossOf(net(theirs, 'shared'), net(ours, 'shared'), theirs)
  const ownLossBps = lossOf(net(theirs, 'own'), net(ours, 'own'), theirs)
  const isLost = lossBps > allowanceAt(trade.gasPrice)
  compared.rows.push({
    ...info,
    ...{ lossBps, ownLossBps },
    ...(isLost && { cause: await explainLoss(arena, trade, theirs, net) }),
    ...(executor && { executed: await executePair(executor, trade, route, theirs, net) }),
  })
}

export function lossOf(theirs: number, ours: number, { returns }: Side): number {
  return (10_000 * (theirs - ours)) / Number(returns)
}

export function allowanceAt(gasPrice: bigint): number {
  return gasPrice === 0n ? allowedBps.gross : allowedBps.net
}

export function hopsOf({ edges, tokens }: SettledRoute) {
  return edges.map(({ pool, from, to, sold }) => {
    return { pool, sell: tokens[from] as Address, buy: tokens[to] as Address, sold }
  })
}

/** The best of the peer's answers, settled exactly. */
function pickBest(
  { settle }: Arena,
  { sell, buy }: PeerTrade,
  found: readonly PeerRoute[],
  net: NetOf,
  faults: string[],
): PeerSide | undefined {
  let best: PeerSide | undefined
  for (const route of found) {
    try {
      const settled = settle(route, sell, buy)
      const side = { ...settled, route, gas: { shared: sharedGas(settled.hops), own: route.gas } }
      if (best === undefined || net(side, 'shared') > net(best, 'shared')) best = side
    } catch (error) {
      faults.push((error as Error).message)
    }
  }
  return best
}

async function executePair(
  executor: Executor,
  trade: PeerTrade,
  route: SettledRoute,
  theirs: PeerSide,
  net: NetOf,
): Promise<ExecutedPair> {
  const ours = await executor.ours(trade, route)
  const peer = await executor.uniswap(trade, theirs.route, theirs.returns)
  if (ours === undefined || peer === undefined)
    throw new Error('A compared route reverts on the local chain.')
  const side = ({ received, gas }: typeof ours) =>
    net({ returns: received, gas: { shared: 0, own: gas } }, 'own')
  return {
    lossBps: lossOf(side(peer), side(ours), theirs),
    grossLossBps: lossOf(Number(peer.received), Number(ours.received), theirs),
    ourGas: ours.gas,
    peerGas: peer.gas,
    isExact: ours.received === route.returns && peer.received === theirs.returns,
  }
}

function nameOf({ config }: PeerMarket, address: string): string {
  return config.tokens.find((token) => token.address === address)?.symbol ?? address
}
