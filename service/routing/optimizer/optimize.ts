import type { Address } from '../../config.ts'
import type { Pool } from '../../pools/pool.ts'
import type { Curve } from '../../pools/priceCurve.ts'
import { createMarketView } from '../admission/marketView.ts'
import { type Candidates, edgeGas, type RoutingEdge, type RoutingInput } from '../candidates.ts'
import { type ExecutedSplit, executeExact, type Weight } from '../executeExact.ts'
import { type Constraints, findViolation, sumL1Gas } from '../limits.ts'
import type { PoolGraph } from '../market.ts'
import { nativePrice } from '../nativePrice.ts'
import { findCapacityPaths, findPaths, type Path, pricesAfterTrade, spotPrices } from '../paths.ts'
import type { Route, RouteRequest } from '../route.ts'
import { absorb, absorbAlong } from './absorb.ts'
import type { AllocationInput } from './allocation.ts'
import { independentGroups } from './branches.ts'
import { type DualSolution, solveDual } from './dual.ts'
import { exchangeFirstHops } from './firstHops.ts'
import { exactly, solveMarket } from './freeSplit.ts'
import { admitBesidePath } from './gasAdmission.ts'
import { split } from './refine.ts'

/** `gas` covers hops and branches only. */
export type CoreRoute = Pick<Route, 'tokens' | 'branches' | 'returns' | 'gas' | 'evidence'>

export type GasModel = { room: bigint; branch: bigint }

/** Returns the better of the best path and the best split, executed exactly. */
export function optimizeRoute(
  market: PoolGraph,
  ground: RoutingInput,
  { sell, buy, amount, limits }: RouteRequest,
  gasPlan: GasModel,
  stop: () => boolean,
): CoreRoute | undefined {
  const terms: Constraints = { ...limits, gasRoom: Number(gasPlan.room), sharesPools: !limits.apart }
  const complexityLevel = Math.min(limits.complexityLevel, limits.connectorCount)
  const pathConnectors = complexityLevel < 2 ? complexityLevel : limits.connectorCount
  const gasWorth = limits.gasPrice === 0n ? 0 : Number(limits.gasPrice) * nativePrice(market, ground, buy)
  const view = createMarketView(market, limits)
  const request = { sell, buy, amount: Number(amount), complexityLevel, connectors: limits.connectors }
  const free = solveMarket(view, ground, request, pathConnectors)
  const whole = gasWorth > 0 ? admitBesidePath(view, free, { ...request, gasWorth }, pathConnectors) : free
  const { candidates } = whole
  const task: AllocationInput = {
    tokenCount: candidates.tokens.length,
    amount: Number(amount),
    gasWorth,
    branchGas: limits.apart ? Number(gasPlan.branch) : undefined,
  }
  const first = spotPrices(candidates, pathConnectors + 1)
  const worth = { gas: task.gasWorth, tokens: first }
  const paths = findPaths(candidates, task.amount, pathConnectors, worth)
  let best = paths.every((path) => gasAlong(path) <= terms.gasRoom) ? bestPath(paths) : thriftyPath()
  if (paths.some(({ fills }) => !fills)) {
    const filling = findCapacityPaths(candidates, task.amount, pathConnectors, worth)
    const other = bestPath(filling.slice(0, maxFilling).filter((path) => gasAlong(path) <= terms.gasRoom))
    if (other && (best === undefined || net(other) > net(best))) best = other
  }
  const mayStop = () => best !== undefined && stop()

  // A pool that cannot fill its part gets less capacity, then none.
  let { arcs } = candidates
  const narrowed = new Set<Pool>()
  let isOverfull = false
  for (let attempt = 0; attempt < maxAttempts && !mayStop(); attempt++) {
    const [path] =
      attempt === 0 ? paths : findPaths({ ...candidates, arcs }, task.amount, pathConnectors, worth)
    if (path === undefined) break
    const solution =
      attempt === 0
        ? whole.solution
        : solveDual(arcs, task.tokenCount, task.amount, pricesAfterTrade(first, path), exactly)
    const along = path.arcs
    const splitOf = (some: readonly RoutingEdge[], prices: DualSolution['prices']) =>
      split(task, terms, some, { ...solution, prices }, along, mayStop)
    const pruned = splitOf(arcs, solution.prices)
    if (pruned === undefined) break
    const found = exchangeFirstHops(task, terms, arcs, pruned, splitOf, mayStop)
    const { core, unfilled } = settleShares(found.parts)
    if (core && (best === undefined || net(core) > net(best))) best = core
    if (unfilled === undefined) break
    isOverfull = true
    arcs = narrowed.has(unfilled.pool)
      ? arcs.filter((arc) => arc !== unfilled)
      : arcs.map((arc) => (arc === unfilled ? { ...arc, curve: narrow(arc.curve) } : arc))
    narrowed.add(unfilled.pool)
  }
  if (isOverfull && !mayStop()) {
    const other = bestAbsorbing()
    if (other && (best === undefined || net(other) > net(best))) best = other
  }
  const evidence = { candidates: free.candidates, prices: [...free.solution.prices], bound: free.bound }
  return best && { ...best, evidence }

  function bestAbsorbing(): Settlement | undefined {
    const [path] = paths
    if (path === undefined) return undefined
    const isFilled = (shares: readonly Weight[], part: number) => {
      const sold = part === 1 ? amount : BigInt(Math.floor(task.amount * part))
      return sold > 0n && executeExact(sold, group(shares)).status === 'settled'
    }
    const isWhole = (shares: readonly Weight[]) => isAllowed(shares) && isFilled(shares, 1)
    const spreadOf = (part: number) => splitPart(candidates.arcs, path, part)
    const options: (readonly Weight[])[] = absorb(candidates.arcs, task.amount, spreadOf, isFilled)
    const full = findCapacityPaths(candidates, task.amount, pathConnectors, worth)
    for (const along of full.slice(0, maxAlong)) {
      const arcs = candidates.arcs.filter(({ pool }) => along.arcs.every((arc) => arc.pool !== pool))
      const [beside] = findPaths({ ...candidates, arcs }, task.amount, pathConnectors, worth)
      if (beside === undefined) continue
      const spread = (part: number) => splitPart(arcs, beside, part)
      const shares = absorbAlong(along.arcs, task.amount, spread, isWhole)
      if (shares) options.push(shares)
    }
    let most: Settlement | undefined
    for (const shares of options) {
      const core = isAllowed(shares) ? settleShares(shares).core : undefined
      if (core && (most === undefined || net(core) > net(most))) most = core
    }
    return most
  }

  function splitPart(arcs: readonly RoutingEdge[], path: Path, part: number) {
    const less = { ...task, amount: task.amount * part }
    const free = solveDual(arcs, less.tokenCount, less.amount, pricesAfterTrade(first, path), exactly)
    return split(less, terms, arcs, free, path.arcs, mayStop)?.parts
  }

  function isAllowed(shares: readonly Weight[]): boolean {
    const parts = shares.map((share) => ({ ...share, gas: edgeGas(share.arc, share.sold) }))
    const gas = parts.reduce((sum, part) => sum + part.gas, 0)
    return findViolation({ parts, gas }, task, terms) === undefined
  }

  /** Rounding only lowers returns, so a result above the next estimate is final. */
  function bestPath(paths: readonly Path[]): Settlement | undefined {
    let best: Settlement | undefined
    for (const path of paths) {
      if (best && net(best) > BigInt(Math.ceil(path.net + Math.abs(path.net) * 1e-9)) + 1n) break
      const { core } = settleShares(refine(candidates, path, amount))
      if (core && (!best || net(core) > net(best))) best = core
    }
    return best
  }

  /** Searches again at rising gas prices. */
  function thriftyPath(): Settlement | undefined {
    const even = ((first[0] as number) * task.amount) / Math.max(terms.gasRoom, 1)
    const prices = Array.from({ length: 12 }, (_, i) => ({ gas: even * 4 ** (i - 8), tokens: first }))
    const dearer = [...prices, frugal(candidates)].flatMap((worth) =>
      findPaths(candidates, task.amount, pathConnectors, worth),
    )
    const within = [...paths, ...dearer].flatMap((path): Path[] => {
      const gas = gasAlong(path)
      const cost = (gas + sumL1Gas(path.arcs)) * task.gasWorth
      return gas <= terms.gasRoom ? [{ ...path, net: path.returns - cost }] : []
    })
    return bestPath(within.sort((a, b) => Number(b.fills) - Number(a.fills) || b.net - a.net))
  }

  function settleShares(shares: readonly Weight[]): { core?: Settlement; unfilled?: RoutingEdge } {
    const groups = group(shares)
    const settled = executeExact(amount, groups)
    if (settled.status === 'unfilled') return { unfilled: settled.arc }
    const tokens = settled.tokens.map((token) => candidates.tokens[token] as Address)
    const gas = gasOf(settled, tokens) + BigInt(groups.length - 1) * gasPlan.branch
    if (gas > gasPlan.room) return {}
    return { core: { tokens, branches: settled.branches, returns: settled.returns, gas } }
  }

  function group(shares: readonly Weight[]): (readonly Weight[])[] {
    return limits.apart ? independentGroups(shares, task.tokenCount - 1) : [shares]
  }

  function net({ returns, gas, tokens, branches }: Settlement): bigint {
    const hops = branches.reduce((sum, { edges }) => sum + edges.length, 0)
    const l1Gas = hops * view.l1Gas.hop + (tokens.length - 2) * view.l1Gas.connector
    return returns - BigInt(Math.round((Number(gas) + l1Gas) * task.gasWorth))
  }
}

type Settlement = Omit<CoreRoute, 'evidence'>

const maxAttempts = 8
const maxFilling = 64
const maxAlong = 4

/** Leaves room for rounding. */
function narrow(curve: Curve): Curve {
  const capacity = curve.capacity * 0.98
  return {
    ...curve,
    capacity,
    most: curve.bought(capacity),
    bought: (sold) => curve.bought(Math.min(sold, capacity)),
    slope: (sold) => (sold < capacity ? curve.slope(sold) : 0),
    soldAt: (slope) => Math.min(curve.soldAt(slope), capacity),
  }
}

/** Without L1 fees, which no limit counts. */
function gasAlong({ arcs, sold }: Path): number {
  return arcs.reduce((sum, arc, i) => sum + edgeGas(arc, sold[i] as number) - arc.l1Gas, 0)
}

function frugal({ tokens }: Candidates) {
  return { gas: 1, tokens: tokens.map(() => 0) }
}

/** Among near equals, rounding decides. */
function refine({ arcs }: Candidates, { arcs: steps, sold }: Path, amount: bigint): Weight[] {
  const chosen = [...steps]
  let held = amount
  steps.forEach((step, i) => {
    const input = sold[i] as number
    const own = step.curve.bought(input)
    let most = 0n
    for (const arc of arcs) {
      if (arc.from !== step.from || arc.to !== step.to) continue
      // For tiny inputs, rounded-up fees outweigh price differences.
      if (Math.abs(arc.curve.bought(input) - own) > own * (1e-9 + 2 / input) + 2) continue
      if (edgeGas(arc, input) > edgeGas(step, input)) continue
      if (chosen.some(({ pool }, j) => pool === arc.pool && j !== i)) continue
      const bought = arc.pool.quote(arc.sell, arc.buy, held)
      if (bought <= most) continue
      most = bought
      chosen[i] = arc
    }
    held = most
  })
  return chosen.map((arc) => ({ arc, sold: 1 }))
}

function gasOf(
  { branches }: Extract<ExecutedSplit, { status: 'settled' }>,
  tokens: readonly Address[],
): bigint {
  const edges = branches.flatMap((branch) => branch.edges)
  return edges.reduce((sum, { pool, from, to, sold }) => {
    return sum + pool.gas(tokens[from] as Address, tokens[to] as Address, sold)
  }, 0n)
}
