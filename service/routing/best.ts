import type { Address } from '../config.ts'
import { type Arc, arcGas, type Bounds, type Candidates, findCandidates, type Ground } from './candidates.ts'
import type { Market } from './market.ts'
import { findPaths } from './paths.ts'
import type { Route, RouteRequest } from './route.ts'
import { type Settled, settle } from './settle.ts'
import { type Branch, split, type Terms } from './split.ts'

/** A route between tokens that pools trade; the native coin stands outside. `gas` is that of its hops alone. */
export type Core = Pick<Route, 'tokens' | 'edges' | 'returns' | 'gas'>

/** The better of the best single path and the best split, each as it really settles. */
export function findBest(
  market: Market,
  ground: Ground,
  { sell, buy, amount, limits }: RouteRequest,
  gasRoom: bigint,
): Core | undefined {
  const bounds = { ...limits, complexityLevel: Math.min(limits.complexityLevel, limits.connectorCount) }
  const candidates = findCandidates(market, ground, sell, buy, Number(amount), bounds)
  const gasWorth =
    limits.gasPrice === 0n ? 0 : Number(limits.gasPrice) * coinPrice(market, ground, buy, bounds)
  const terms: Terms = { ...bounds, gasRoom: Number(gasRoom), gasWorth }

  const cores = [bestPath(candidates, amount, terms), bestSplit(candidates, amount, terms)]
  return cores.reduce((best, core) => (core && (!best || net(core, terms) > net(best, terms)) ? core : best))
}

/** What one wei of the coin is worth in base units of `token`; 0 when no pool says it. */
function coinPrice(market: Market, ground: Ground, token: Address, bounds: Bounds): number {
  if (token === ground.wrapped) return 1
  const candidates = findCandidates(market, ground, ground.wrapped, token, probe, {
    ...bounds,
    complexityLevel: 1,
  })
  const terms = { complexityLevel: 1, gasRoom: Number.POSITIVE_INFINITY, gasWorth: 0 }
  return (findPaths(candidates, probe, terms)[0]?.returns ?? 0) / probe
}

/** 0.01 of the coin: about what a transaction may cost, and too little to move a price. */
const probe = 1e16

/**
 * The best path without branches, exactly. Doubles order the paths and bound them: integers only ever round against the trader,
 * so once one settles above what the next could reach, none is better.
 */
function bestPath(candidates: Candidates, amount: bigint, terms: Terms): Core | undefined {
  let best: Core | undefined
  for (const path of findPaths(candidates, Number(amount), terms)) {
    if (best && net(best, terms) > BigInt(Math.ceil(path.net + Math.abs(path.net) * 1e-9)) + 1n) break
    const settled = settle(amount, candidates.tokens.length - 1, refine(candidates, path.arcs, amount))
    const core = settled.status === 'settled' ? toCore(candidates, settled, terms) : undefined
    if (core && (!best || net(core, terms) > net(best, terms))) best = core
  }
  return best
}

/** The same tokens through the pools that pay most in integers, of those that need no more gas. */
function refine({ arcs }: Candidates, path: readonly Arc[], amount: bigint): Branch[] {
  let held = amount
  return path.map((step) => {
    const parallel = arcs
      .filter(
        (arc) =>
          arc.from === step.from &&
          arc.to === step.to &&
          arcGas(arc, Number(held)) <= arcGas(step, Number(held)),
      )
      .map((arc) => ({ arc, bought: arc.pool.quote(arc.sell, arc.buy, held) }))
    const best = parallel.reduce((best, next) => (next.bought > best.bought ? next : best))
    held = best.bought
    return { arc: best.arc, share: 1 }
  })
}

/** The best split; pools that turn out unable to fill their share are left out, a few times. */
function bestSplit(candidates: Candidates, amount: bigint, terms: Terms): Core | undefined {
  let { arcs } = candidates
  for (let attempt = 0; attempt < 4; attempt++) {
    const rest = { ...candidates, arcs }
    const [start] = findPaths(rest, Number(amount), terms)
    const branches = start && split(rest, Number(amount), start.arcs, terms)
    if (!branches) return undefined
    const settled = settle(amount, candidates.tokens.length - 1, branches)
    if (settled.status === 'settled') return toCore(candidates, settled, terms)
    arcs = arcs.filter((arc) => arc !== settled.arc)
  }
  return undefined
}

/** Undefined when its hops use more gas than the terms leave. */
function toCore(
  { tokens }: Candidates,
  settled: Extract<Settled, { status: 'settled' }>,
  terms: Terms,
): Core | undefined {
  const { edges, returns } = settled
  const addresses = settled.tokens.map((token) => tokens[token] as Address)
  const gas = edges.reduce((sum, { pool, from, to, sold }) => {
    return sum + pool.gas(addresses[from] as Address, addresses[to] as Address, sold)
  }, 0n)
  return Number(gas) <= terms.gasRoom ? { tokens: addresses, edges, returns, gas } : undefined
}

/** What is left of the returns after gas, in base units of the bought token. */
function net({ returns, gas }: Core, { gasWorth }: Terms): bigint {
  return returns - BigInt(Math.round(Number(gas) * gasWorth))
}
