import type { Hono, MiddlewareHandler } from 'hono'
import type { z } from 'zod'
import { logo } from './api/logo.ts'
import type { Connectors } from './api/parameterTypes.ts'
import { toLimits } from './api/routeQuery.ts'
import { formatApproval, formatPaths, formatProof, formatToken, formatTransaction } from './api/serialize.ts'
import * as operations from './api/v3Operations.ts'
import { createVersionRouter } from './api/versionRouter.ts'
import type { TokenInfo } from './config.ts'
import { ServiceError } from './errors.ts'
import type { Env } from './http/context.ts'
import { allowAnyOrigin } from './http/cors.ts'
import type { Scheduler } from './http/scheduler/requestScheduler.ts'
import { forClient, type Service } from './service.ts'
import { estimateGas, type Plan, quote } from './swap/quote.ts'
import type { SwapRequest, TradeRequest } from './swap/request.ts'
import { swap } from './swap/swap.ts'

/** Creates the router of API version 3.0. */
export function v3(service: Service, work: Scheduler, publicUrl?: string): Hono<Env> {
  const { config } = service
  const { app, on, onceABlock, onceAtATime } = createVersionRouter(
    service,
    work,
    operations.version.label,
    publicUrl,
  )

  onceABlock(operations.quote, async (query, context, base) => {
    const request = toTrade(query)
    const tokens = await readTokens(service, query, base)
    const found = await quote(forClient(service, context.get('asker')), request)
    const body = {
      ...tokens,
      ...formatTrade(query, found, found.route.returns),
      estimatedGas: Number(estimateGas(request, found.route)),
    }
    return { body, headers: formatProof(found), isPassing: found.route.isCutShort }
  })

  onceAtATime(operations.swap, async (query, context, base) => {
    const request = toSwap(query)
    const tokens = await readTokens(service, query, base)
    const built = await swap(forClient(service, context.get('asker')), request)
    return {
      ...tokens,
      ...formatTrade(query, built.plan, built.returns),
      tx: formatTransaction({ ...built, gas: request.disableEstimate ? roughGas(built.gas) : built.gas }),
    }
  })

  on(operations.spender, () => ({ address: config.router }))

  on(operations.approval, (query) => formatApproval(service, query.tokenAddress, approvedAmount(query)))

  on(operations.protocols, () => ({ protocols: service.engine().sources.map(({ id }) => id) }))

  on(operations.images, () => ({ protocols: images(service) }))

  on(operations.image, (_query, { req }) => {
    const id = req.param('id')
    const protocols = images(service).filter((image) => image.id === id)
    if (protocols.length === 0) throw new ServiceError('NOT_FOUND', `unknown protocol ${id}`)
    return { protocols }
  })

  return app
}

/** Sets CORS and cache headers, also on errors. Mount it before middleware that may reject. */
export const legacyHeaders: MiddlewareHandler[] = [
  allowAnyOrigin,
  async (context, next) => {
    await next()
    // Prevents caching across keys.
    context.header('vary', 'authorization', { append: true })
    if (context.res.status >= 400) context.header('cache-control', 'no-store')
  },
]

type QuoteQuery = z.output<typeof operations.quote.query>
type SwapQuery = z.output<typeof operations.swap.query>
type ApprovalQuery = z.output<typeof operations.approval.query>

function toTrade(query: QuoteQuery): TradeRequest {
  const { fromTokenAddress: sell, toTokenAddress: buy, amount, complexityLevel, connectorTokens } = query
  const limits = { ...toLimits(query), complexityLevel: Math.min(complexityLevel, 2) }
  return { ...limits, sell, buy, amount, connectors: limitConnectors(complexityLevel, connectorTokens) }
}

/** Counts the connectors of the whole route. */
function limitConnectors(most: number, named?: Connectors): Connectors {
  return named === undefined ? { count: most } : { ...named, count: Math.min(most, named.count) }
}

function toSwap(query: SwapQuery): SwapRequest {
  const { fromAddress: from, destReceiver = from, referrerAddress, slippage } = query
  const { allowPartialFill, disableEstimate } = query
  return {
    ...toTrade(query),
    from,
    origin: from,
    receiver: destReceiver,
    minReturnRule: { slippage },
    allowPartialFill,
    disableEstimate,
    // Not part of this version.
    compatibility: false,
    usePermit2: false,
    forceApprove: false,
    createAccessList: false,
    ...(referrerAddress === undefined ? {} : { referrer: referrerAddress }),
  }
}

/** Undefined means unlimited. */
function approvedAmount({ amount, infinity }: ApprovalQuery): bigint | undefined {
  if (amount !== undefined && infinity === undefined) return amount
  if (amount === undefined && infinity) return undefined
  throw new ServiceError('VALIDATION_FAILED', 'exactly one of amount and infinity=true must be set')
}

/** Before the search, so that unknown tokens fail first. */
async function readTokens(
  { tokens }: Service,
  { fromTokenAddress, toTokenAddress }: QuoteQuery,
  base: string,
) {
  const [fromToken, toToken] = await tokens.infos(fromTokenAddress, toTokenAddress)
  return { fromToken: formatLegacyToken(fromToken, base), toToken: formatLegacyToken(toToken, base) }
}

function formatTrade({ amount }: QuoteQuery, { route }: Plan, returns: bigint) {
  return {
    fromTokenAmount: String(amount),
    toTokenAmount: String(returns),
    protocols: formatPaths(route),
  }
}

/** Clients raise it by a quarter, to `limit` (service-interface: legacy). */
function roughGas(limit: bigint): bigint {
  return (limit * 4n + 4n) / 5n
}

function formatLegacyToken(token: TokenInfo, base: string) {
  const { symbol, name, address, decimals, logoURI } = formatToken(token, base)
  return { symbol, name, address, decimals, logoURI }
}

function images(service: Service) {
  return service.engine().sources.map(({ id, title }) => ({ id, title, img: logo(id, 'gray') }))
}
