import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { createDocsRouter } from './api/docsRouter.ts'
import { versions } from './api/versions.ts'
import { describeError, type ErrorReport, isNodeError } from './errorReporting.ts'
import { ServiceError } from './errors.ts'
import { guardEngine } from './guardedEngine.ts'
import { accessLog } from './http/accessLog.ts'
import type { Connection, Env } from './http/context.ts'
import { allowAnyOrigin } from './http/cors.ts'
import { errorBody, toRetryAfter } from './http/errorBody.ts'
import { createMetrics, type Metrics, registerEngineMetrics } from './http/metrics.ts'
import {
  allowMethods,
  assignRequestId,
  identifyClient,
  nameNetworks,
  rateLimit,
  rejectWhenClosing,
  requestTimeout,
  requireKey,
} from './http/middleware.ts'
import { createRateLimiter, type RateLimiter, wrongKeyRate } from './http/rateLimiter.ts'
import { createRetryTimes } from './http/retryTimes.ts'
import { requireFresh } from './http/scheduler/freshness.ts'
import { createScheduler, type SchedulerLimits } from './http/scheduler/requestScheduler.ts'
import { isNetworkError } from './indexer/node.ts'
import type { Log } from './log.ts'
import type { Service } from './service.ts'
import { tokenLogos } from './tokens/tokenLogos.ts'
import { legacyHeaders } from './v3.ts'
import { createVersions } from './versions.ts'

export type HandlerOptions = {
  /** Accepted in `Authorization: Bearer`. */
  keys?: ReadonlySet<string>
  /** By key, or by network without keys. */
  limiter?: RateLimiter
  /** By network; in memory by default. */
  wrongKeys?: RateLimiter
  /** Number of own proxies that append to X-Forwarded-For. */
  proxies?: number
  limits?: SchedulerLimits
  /** Ends a search with its best route; other requests wait meanwhile. */
  searchMs?: number
  deadlineMs?: number
  log?: Log
  metrics?: Metrics
  /** True to serve `/metrics` without a key. */
  hasPublicMetrics?: boolean
  /** Public origin for API documents and URLs. */
  publicUrl?: string
  /** True to let pages of any origin read all versions; those of 3.0 they always may. */
  hasCors?: boolean
  /** Called for internal errors; clients see only the request id. */
  report?: ErrorReport
}

export type Handler = (request: Request, connection?: Connection) => Response | Promise<Response>

/** Creates the fetch handler of the service. */
export function createHandler(source: Service, options: HandlerOptions = {}): Handler {
  const { keys, limiter, proxies = 0, limits, log, report, hasCors = false } = options
  const { wrongKeys = createRateLimiter(wrongKeyRate), hasPublicMetrics = false } = options
  const { searchMs = 400, deadlineMs = 10_000, metrics = createMetrics() } = options
  const { config } = source
  const service = guardEngine(source, metrics, searchMs)
  const work = createScheduler(service, metrics, limits)
  registerEngineMetrics(metrics, source)
  const retryTimes = createRetryTimes()
  const retryMsOf = ({ var: { asker, networks } }: Context<Env>, { code, retryMs }: ServiceError) => {
    if (code === 'NOT_READY') return readyAgainMs
    return retryMs === undefined ? undefined : retryTimes.afterRefusal(asker ?? networks, retryMs)
  }
  const app = new Hono<Env>()

  app.use(assignRequestId(), accessLog(config.chainId, metrics, log))
  if (hasCors) for (const path of readByPages) app.use(path, allowAnyOrigin)
  app.use('/v3.0/*', ...legacyHeaders)
  app.use(allowMethods())
  app.get('/health', (context) => context.json({ status: 'ok' }))
  app.route('/', createDocsRouter(config, options.publicUrl))
  for (const { label, operations } of versions) {
    if (operations.length > 1) app.route(`/${label}/${config.chainId}`, tokenLogos(source.tokens))
  }
  app.use(rejectWhenClosing())
  app.get('/ready', (context) => context.json({ status: 'ok', ...requireFresh(config, source.engine()) }))
  app.use(nameNetworks(proxies), requireKey(keys, wrongKeys, metrics, log))
  if (keys !== undefined || hasPublicMetrics) {
    app.get('/metrics', async (context) => {
      return context.body(await metrics.registry.metrics(), 200, {
        'content-type': metrics.registry.contentType,
      })
    })
  }
  app.use(requestTimeout(deadlineMs), identifyClient(), rateLimit(limiter, metrics, log))
  for (const { label, router } of createVersions(service, work, options.publicUrl)) {
    app.route(`/${label}/${config.chainId}`, router)
  }

  app.notFound((context) => answer(context, notFound(context, config.chainId)))
  app.onError((error, context) => {
    if (error instanceof ServiceError) return answer(context, error, retryMsOf(context, error))
    if (isNodeError(error)) metrics.nodeFailures.inc({ during: 'request' })
    context.set('fault', describeError(error))
    report?.(error, `request ${context.get('requestId')}`)
    const description = isNetworkError(error) ? 'the node does not answer' : 'internal error'
    return answer(context, new ServiceError('INTERNAL_SERVER_ERROR', description))
  })
  return (request, connection = {}) => app.fetch(request, connection)
}

const readByPages = ['/openapi.json', ...versions.map(({ label }) => `/${label}/*`)]

function notFound({ req }: Context, chainId: number): ServiceError {
  const version = versions.find(({ label }) => req.path.startsWith(`/${label}/`))
  const [chain = ''] = version === undefined ? [] : req.path.slice(version.label.length + 2).split('/')
  const isOtherChain = chain !== '' && chain !== String(chainId)
  const text = isOtherChain ? `chain not found: this service serves ${chainId}` : 'path not found'
  return new ServiceError('NOT_FOUND', text)
}

function answer(context: Context<Env>, error: ServiceError, retryMs?: number): Response {
  const { code, statusCode } = error
  context.set('code', code)
  if (retryMs !== undefined) context.header('retry-after', toRetryAfter(retryMs))
  const body = errorBody(error, context.get('requestId'), context.req.path)
  return context.json(body, statusCode as ContentfulStatusCode)
}

const readyAgainMs = 1_000
