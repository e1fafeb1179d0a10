import type { Address } from '../config.ts'
import type { Block, BlockRoute, Engine } from '../engine.ts'
import { type ServiceCode, ServiceError } from '../errors.ts'
import { gasBounds } from '../pools/gasCosts.ts'
import { wrappedSource } from '../pools/wrappedNative.ts'
import { maxGas, type SettledRoute } from '../routing/gasParts.ts'
import type { RouteRequest } from '../routing/route.ts'
import type { SearchOptions } from '../search/searcher.ts'
import type { Service } from '../service.ts'
import { unknownToken } from '../tokens/registry.ts'
import type { TradeRequest } from './request.ts'

export type Plan = { route: BlockRoute; block: Block; gasPrice: bigint }

/**
 * Returns the best route at the current block, with a certificate. The order of checks is fixed, so errors
 * are deterministic.
 */
export async function quote(service: Service, request: TradeRequest): Promise<Plan> {
  await requireTrade(service, request)
  requireGasPrice(request, 0n)
  const found = await findPlan(service, request, 'INSUFFICIENT_LIQUIDITY', new Set(), true)
  if (found === undefined) throw insufficientLiquidity()
  return found
}

/** Throws unless both tokens exist, differ, and have their pools read. */
export async function requireTrade(service: Service, { sell, buy }: TradeRequest): Promise<void> {
  const { config, tokens } = service
  if (config.pools === 'listed') {
    const codeless = await service.engine().ensure([sell, buy])
    for (const token of [sell, buy]) if (codeless.includes(token)) throw unknownToken(token)
  } else {
    await tokens.requireKnown(sell)
    await tokens.requireKnown(buy)
  }
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
  isProven = false,
): Promise<Plan | undefined> {
  const endTurn = await service.searchTurn?.()
  try {
    return await searchPlan(service, request, noSources, avoid, isProven)
  } finally {
    endTurn?.()
  }
}

async function searchPlan(
  service: Service,
  request: TradeRequest,
  noSources: ServiceCode,
  avoid: ReadonlySet<Address>,
  isProven: boolean,
): Promise<Plan | undefined> {
  const engine = service.engine()
  const block = currentBlock(service)
  const gasPrice = request.gasPrice ?? engine.gasPrice()
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
  const options = { searchMs: service.searchMs ?? Number.POSITIVE_INFINITY, isProven }
  const route = await routeWithin(engine, asked, request, options)
  // A second search may have met the next block, whose gas price differs.
  if (route !== undefined && route.block.hash !== block.hash)
    return searchPlan(service, request, noSources, avoid, isProven)
  return route && { route, block, gasPrice }
}

/** Routes are ranked by a lower gas estimate, so the limit is lowered until the quoted gas fits. */
async function routeWithin(
  engine: Engine,
  asked: RouteRequest,
  request: TradeRequest,
  options: SearchOptions & { searchMs: number },
): Promise<BlockRoute | undefined> {
  const route = await engine.route(asked, options)
  const excess = route === undefined ? 0n : estimateGas(request, route) - request.gasLimit
  if (route === undefined || excess <= 0n) return route
  return routeWithin(
    engine,
    { ...asked, limits: { ...asked.limits, gasLimit: route.gas - excess } },
    request,
    { ...options, searchMs: Math.max(0, options.searchMs - route.searchedMs) },
  )
}

/**
 * Returns an upper estimate of gas. Assumes pools that were swapped before, a native recipient that exists,
 * and unless `isNewHolder` is false a recipient without the bought token.
 */
export function estimateGas(
  { feePpm }: Pick<TradeRequest, 'feePpm'>,
  route: SettledRoute,
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
