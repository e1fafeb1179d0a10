import type { MiddlewareHandler } from 'hono'
import { createErrorReporter } from '../errorReporting.ts'
import { ServiceError } from '../errors.ts'
import type { Log } from '../log.ts'
import { clientNetworks, createApiKeys } from './clients.ts'
import type { Env } from './context.ts'
import type { Metrics } from './metrics.ts'
import type { Limiter } from './rateLimiter.ts'

// What every request passes on its way in, in this order.

export type Step = MiddlewareHandler<Env>

/**
 * Gives a request its id: its own where that can stand in any log, else one of ours. The answer carries it too, so a cache
 * may give an answer only to requests with the same one.
 */
export function assignRequestId(): Step {
  return async (context, next) => {
    const given = context.req.header('request-id') ?? ''
    const requestId = /^[\x20-\x7e]{1,128}$/.test(given) ? given : crypto.randomUUID()
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

/** Names the networks that a request comes from. */
export function nameNetworks(proxies: number): Step {
  return async (context, next) => {
    const { remoteAddress = '' } = context.env
    context.set('networks', clientNetworks(remoteAddress, context.req.header('x-forwarded-for'), proxies))
    await next()
  }
}

/** Keys remembered as having been right from a network. */
const maxProven = 10_000

/**
 * Requires one of `keys`, or nothing when there are none. Wrong keys count against `wrongKeys` by network. A network that is
 * over it is refused whatever key it sends, so that guessing ends, except for keys that were right from it before.
 */
export function requireKey(
  keys: ReadonlySet<string> | undefined,
  wrongKeys: Limiter,
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
      const [, key = ''] = /^Bearer (.+)$/i.exec(context.req.header('authorization') ?? '') ?? []
      if (key === '') throw new ServiceError('FORBIDDEN', 'this service asks for a key')
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

/** Adds to a set whose oldest members give way. */
function remember(proven: Set<string>, proof: string): void {
  proven.delete(proof)
  proven.add(proof)
  const [oldest] = proven
  if (proven.size > maxProven && oldest !== undefined) proven.delete(oldest)
}

/** Ends what takes longer than anybody should wait for, and what nobody waits for any more. */
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

/** Says by whom a request is counted: the holder of its key, or where none are needed, its networks. */
export function identifyClient(): Step {
  return async (context, next) => {
    const holder = context.get('holder')
    context.set('asker', holder === undefined ? context.get('networks') : [holder])
    await next()
  }
}

/** Keeps every asker to a rate. A limiter that fails lets everybody in. */
export function rateLimit(limiter: Limiter | undefined, metrics: Metrics, log: Log | undefined): Step {
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
