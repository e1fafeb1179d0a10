import type { MiddlewareHandler } from 'hono'
import { ServiceError } from '../errors.ts'
import { createKeyring, networkOf } from './asker.ts'
import type { Env } from './env.ts'
import { createAlarm } from './faults.ts'
import type { Limiter } from './limiter.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

// What every request passes on its way in, in this order.

export type Step = MiddlewareHandler<Env>

/** Gives a request its id: its own where that can stand in any log, else one of ours. The answer carries it too. */
export function nameRequest(): Step {
  return async (context, next) => {
    const given = context.req.header('request-id') ?? ''
    const requestId = /^[\x20-\x7e]{1,128}$/.test(given) ? given : crypto.randomUUID()
    context.set('requestId', requestId)
    context.header('request-id', requestId)
    await next()
  }
}

export function allowReading(): Step {
  return async (context, next) => {
    const { method } = context.req
    if (method !== 'GET' && method !== 'HEAD') {
      context.header('allow', 'GET, HEAD')
      throw new ServiceError('METHOD_NOT_ALLOWED', `${method} is not allowed, only GET is`)
    }
    await next()
  }
}

export function refuseWhenClosing(): Step {
  return async (context, next) => {
    if (context.env.isClosing) throw new ServiceError('NOT_READY', 'the service is being stopped')
    await next()
  }
}

/** Lets those in who hold one of `keys`; everybody when there are none. */
export function askForKey(keys: ReadonlySet<string> | undefined): Step {
  const holderOf = keys && createKeyring(keys)
  return async (context, next) => {
    if (holderOf !== undefined) {
      const [, key = ''] = /^Bearer (.+)$/i.exec(context.req.header('authorization') ?? '') ?? []
      const holder = holderOf(key)
      if (holder === undefined) throw new ServiceError('FORBIDDEN', 'this service asks for a key')
      context.set('holder', holder)
    }
    await next()
  }
}

/** Ends what takes longer than anybody should wait for, and what nobody waits for any more. */
export function endInTime(deadlineMs: number): Step {
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

/** Says by whom a request is counted: the holder of its key, or where none are needed, its network. */
export function nameAsker(proxies: number): Step {
  return async (context, next) => {
    const { remoteAddress = '' } = context.env
    const network = networkOf(remoteAddress, context.req.header('x-forwarded-for'), proxies)
    context.set('asker', context.get('holder') ?? network)
    await next()
  }
}

/** Keeps every asker to a rate. A limiter that fails lets everybody in. */
export function limitRate(limiter: Limiter | undefined, metrics: Metrics, log: Log | undefined): Step {
  const alarm = createAlarm(log, { fails: 'requests are not limited', works: 'requests are limited again' })
  return async (context, next) => {
    const waitMs = await limiter?.take(context.get('asker')).then(alarm.works, alarm.fails)
    if (waitMs !== undefined) {
      metrics.rateLimited.inc()
      throw new ServiceError('RATE_LIMITED', 'too many requests', null, { retryMs: waitMs })
    }
    await next()
  }
}
