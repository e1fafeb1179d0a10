import type { Address } from '../config.ts'
import type { Block, Engine } from '../engine.ts'
import { type ServiceCode, ServiceError } from '../errors.ts'
import { gasBounds } from '../pools/gasCosts.ts'
import { wrappedSource } from '../pools/wrappedNative.ts'
import { maxGas } from '../routing/gasParts.ts'
import type { Route, RouteRequest } from '../routing/route.ts'
import type { Service } from '../service.ts'
import type { TradeRequest } from './request.ts'

/** `isCutShort` is true if the search ran out of time. */
export type Plan = { route: Route; block: Block; gasPrice: bigint; isCutShort: boolean }

/** Returns the best route at the current block. The order of checks is fixed, so errors are deterministic. */
export async function quote(service: Service, request: TradeRequest): Promise<Plan> {
  await requireTrade(service, request)
  requireGasPrice(request, 0n)
  return plan(service, request, 'INSUFFICIENT_LIQUIDITY')
}

/** Throws unless both tokens exist and differ. */
export async function requireTrade({ tokens }: Service, { sell, buy }: TradeRequest): Promise<void> {
  await tokens.requireKnown(sell)
  await tokens.requireKnown(buy)
  if (sell === buy) throw new ServiceError('VALIDATION_FAILED', 'src and dst should be different')
}

/** 10,000 gwei, ten times any network's highest. */
const maxGasPrice = 10_000n * 10n ** 9n

export function requireGasPrice({ gasPrice }: TradeRequest, lowest: bigint): void {
  if (gasPrice === undefined || (gasPrice >= lowest && gasPrice <= maxGasPrice)) return
  const text = `gas price not allowed: it must be from ${lowest} to ${maxGasPrice} wei`
  throw new ServiceError('GAS_PRICE_NOT_ALLOWED', text, [{ type: 'gasPrice', value: String(gasPrice) }])
}

/** Returns the best route; `noSources` is the error code when filters exclude all sources. */
export async function plan(service: Service, request: TradeRequest, noSources: ServiceCode): Promise<Plan> {
  const found = await findPlan(service, request, noSources, new Set())
  if (found === undefined) throw insufficientLiquidity()
  return found
}

/** Like `plan`, without the pools in `avoid`; undefined if no route is left. */
export async function findPlan(
  service: Service,
  request: TradeRequest,
  noSources: ServiceCode,
  avoid: ReadonlySet<Address>,
): Promise<Plan | undefined> {
  const endTurn = await service.searchTurn?.()
  try {
    return searchPlan(service, request, noSources, avoid)
  } finally {
    endTurn?.()
  }
}

function searchPlan(
  service: Service,
  request: TradeRequest,
  noSources: ServiceCode,
  avoid: ReadonlySet<Address>,
): Plan | undefined {
  const engine = service.engine()
  const block = currentBlock(service)
  const gasPrice = request.gasPrice ?? engine.gasPrice()
  const stop = createDeadline(service.searchMs ?? Number.POSITIVE_INFINITY)
  const asked = {
    sell: request.sell,
    buy: request.buy,
    amount: request.amount - (request.amount * BigInt(request.feePpm)) / 1_000_000n,
    limits: {
      complexityLevel: request.complexityLevel,
      parts: request.parts,
      mainRouteParts: request.mainRouteParts,
      connectorCount: request.connectors?.count ?? Number.POSITIVE_INFINITY,
      ...(request.connectors?.tokens === undefined ? {} : { connectors: request.connectors.tokens }),
      sources: chooseSources(engine, request, noSources),
      excludesWrapping: request.excludedSources?.includes(wrappedSource.id) ?? false,
      avoid,
      gasPrice,
      gasLimit: request.gasLimit,
      apart: request.allowPartialFill ?? false,
    },
  }
  const route = routeWithin(engine, asked, request, stop.isDue)
  return route && { route, block, gasPrice, isCutShort: stop.wasHeeded() }
}

/** Routes are ranked by a lower gas estimate, so the limit is lowered until the quoted gas fits. */
function routeWithin(
  engine: Engine,
  asked: RouteRequest,
  request: TradeRequest,
  isDue: () => boolean,
): Route | undefined {
  const route = engine.route(asked, isDue)
  const excess = route === undefined ? 0n : estimateGas(request, route) - request.gasLimit
  if (route === undefined || excess <= 0n) return route
  return routeWithin(
    engine,
    { ...asked, limits: { ...asked.limits, gasLimit: route.gas - excess } },
    request,
    isDue,
  )
}

/**
 * Returns an upper estimate of gas. Assumes pools that were swapped before, a native recipient that exists,
 * and unless `isNewHolder` is false a recipient without the bought token.
 */
export function estimateGas(
  { feePpm }: Pick<TradeRequest, 'feePpm'>,
  route: Route,
  isNewHolder = true,
): bigint {
  return maxGas(route, isNewHolder, feePpm > 0 ? gasBounds.fee : 0n)
}

/** Returns the block of current quotes. */
export function currentBlock(service: Service): Block {
  const block = service.engine().block()
  if (block === undefined) throw new ServiceError('NOT_READY', 'no block was read yet')
  return block
}

function chooseSources(engine: Engine, request: TradeRequest, noSources: ServiceCode): ReadonlySet<string> {
  const all = new Set(engine.sources.map((source) => source.id))
  const excluded = request.excludedSources ?? []
  const unknown = [...(request.sources ?? []), ...excluded].find((id) => !all.has(id))
  if (unknown !== undefined) throw new ServiceError('VALIDATION_FAILED', `unknown protocol ${unknown}`)

  const chosen = new Set(request.sources ?? all)
  for (const id of excluded) chosen.delete(id)
  if (chosen.size > 0) return chosen
  if (noSources === 'INSUFFICIENT_LIQUIDITY') throw insufficientLiquidity()
  throw new ServiceError(noSources, 'no protocols are left to swap through')
}

function insufficientLiquidity(): ServiceError {
  return new ServiceError('INSUFFICIENT_LIQUIDITY', 'insufficient liquidity', [
    { type: 'toTokenAmount', value: '0' },
  ])
}

/** A time limit for synchronous work. */
type Deadline = {
  isDue(): boolean
  /** True if `isDue` ever returned true. */
  wasHeeded(): boolean
}

export function createDeadline(ms: number): Deadline {
  const end = performance.now() + ms
  let heeded = false
  return {
    isDue() {
      heeded ||= performance.now() >= end
      return heeded
    },
    wasHeeded: () => heeded,
  }
}
