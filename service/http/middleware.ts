import type { MiddlewareHandler } from 'hono'
import { createErrorReporter } from '../errorReporting.ts'
import { ServiceError } from '../errors.ts'
import type { Log } from '../log.ts'
import { bearerKey, clientNetworks, createApiKeys } from './clients.ts'
import type { Env } from './context.ts'
import { toRequestId } from './errorBody.ts'
import type { Metrics } from './metrics.ts'
import type { RateLimiter } from './rateLimiter.ts'

// In this order.

export type Step = MiddlewareHandler<Env>

/**
 * Assigns the request id: the given one if safe to log, else a new one. Responses repeat it, so caches vary
 * by it.
 */
export function assignRequestId(): Step {
  return async (context, next) => {
    const requestId = toRequestId(context.req.header('request-id'))
    context.set('requestId', requestId)
    context.header('request-id', requestId)
    await next()
    if (context.res.headers.get('cache-control')?.startsWith('public')) {
      context.header('vary', 'request-id', { append: true })
    }
  }
}

export function allowMethods(): Step {
  return async (context, next) => {
    const { method } = context.req
    if (method !== 'GET' && method !== 'HEAD') {
      context.header('allow', 'GET, HEAD')
      throw new ServiceError('METHOD_NOT_ALLOWED', `${method} is not allowed, only GET is`)
    }
    await next()
  }
}

export function rejectWhenClosing(): Step {
  return async (context, next) => {
    if (context.env.isClosing) throw new ServiceError('NOT_READY', 'the service is being stopped')
    await next()
  }
}

export function nameNetworks(proxies: number): Step {
  return async (context, next) => {
    const { remoteAddress = '' } = context.env
    context.set('networks', clientNetworks(remoteAddress, context.req.header('x-forwarded-for'), proxies))
    await next()
  }
}

const maxProven = 10_000

/**
 * Requires one of `keys`, if any. Wrong keys count by network; a network over the limit is rejected, except
 * with keys proven from it before.
 */
export function requireKey(
  keys: ReadonlySet<string> | undefined,
  wrongKeys: RateLimiter,
  metrics: Metrics,
  log: Log | undefined,
): Step {
  const holderOf = keys && createApiKeys(keys)
  const proven = new Set<string>()
  const alarm = createErrorReporter(log, {
    fails: 'wrong keys are not limited',
    works: 'wrong keys are limited again',
  })

  return async (context, next) => {
    if (holderOf !== undefined) {
      const key = bearerKey(context.req.header('authorization'))
      if (key === undefined) throw new ServiceError('FORBIDDEN', 'this service asks for a key')
      const holder = holderOf(key)
      const networks = context.get('networks')
      const proof = `${holder} ${networks[0]}`
      if (holder === undefined || !proven.has(proof)) {
        const waitMs = await wrongKeys
          .take(networks, holder === undefined ? 1 : 0)
          .then(alarm.works, alarm.fails)
        if (waitMs !== undefined) {
          metrics.rateLimited.inc()
          throw new ServiceError('RATE_LIMITED', 'too many wrong keys', null, { retryMs: waitMs })
        }
      }
      if (holder === undefined) throw new ServiceError('FORBIDDEN', 'this service asks for a key')
      remember(proven, proof)
      context.set('holder', holder)
    }
    await next()
  }
}

function remember(proven: Set<string>, proof: string): void {
  proven.delete(proof)
  proven.add(proof)
  const [oldest] = proven
  if (proven.size > maxProven && oldest !== undefined) proven.delete(oldest)
}

/** Aborts on timeout or client disconnect. */
export function requestTimeout(deadlineMs: number): Step {
  return async (context, next) => {
    const end = new AbortController()
    const { signal } = end
    const isOver = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    const timer = setTimeout(() => {
      end.abort(new ServiceError('TIMED_OUT', `no answer was found within ${deadlineMs} ms`))
    }, deadlineMs)
    const hangUp = () => end.abort(new ServiceError('CANCELLED', 'the asker has hung up'))
    context.req.raw.signal.addEventListener('abort', hangUp)
    context.set('signal', signal)
    try {
      await Promise.race([next(), isOver])
    } finally {
      clearTimeout(timer)
      context.req.raw.signal.removeEventListener('abort', hangUp)
    }
  }
}

/** Sets the names a client is counted under. */
export function identifyClient(): Step {
  return async (context, next) => {
    const holder = context.get('holder')
    context.set('asker', holder === undefined ? context.get('networks') : [holder])
    await next()
  }
}

/** Limits the rate per client; a failing limiter admits all. */
export function rateLimit(limiter: RateLimiter | undefined, metrics: Metrics, log: Log | undefined): Step {
  const alarm = createErrorReporter(log, {
    fails: 'requests are not limited',
    works: 'requests are limited again',
  })
  return async (context, next) => {
    const waitMs = await limiter?.take(context.get('asker')).then(alarm.works, alarm.fails)
    if (waitMs !== undefined) {
      metrics.rateLimited.inc()
      throw new ServiceError('RATE_LIMITED', 'too many requests', null, { retryMs: waitMs })
    }
    await next()
  }
}
