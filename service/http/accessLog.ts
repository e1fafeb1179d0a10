import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { Log } from '../log.ts'
import type { Env } from './context.ts'
import type { Metrics } from './metrics.ts'
import type { Step } from './middleware.ts'

/** Counts and logs requests, without queries: permits are signatures. */
export function accessLog(chainId: number, metrics: Metrics, log: Log | undefined): Step {
  return async (context, next) => {
    const began = performance.now()
    metrics.inFlight.inc()
    await next()
    metrics.inFlight.dec()

    const ms = performance.now() - began
    const operation = operationOf(context, chainId)
    const { status } = context.res
    const code = context.get('code') ?? 'OK'
    metrics.requests.inc({ operation, status, code })
    metrics.requestSeconds.observe({ operation }, ms / 1_000)
    log?.[levelOf(operation, status)](
      {
        method: context.req.method,
        operation,
        chain: chainId,
        status,
        code,
        ms: Math.round(ms * 100) / 100,
        requestId: context.get('requestId'),
        asker: context.get('holder'),
        fault: context.get('fault'),
      },
      'request',
    )
  }
}

function operationOf(context: Context<Env>, chainId: number): string {
  const route = matchedRoutes(context).findLast(({ path }) => !path.endsWith('*'))
  return route === undefined ? 'other' : route.path.slice(1).replace(new RegExp(`/${chainId}(?=/|$)`), '')
}

function levelOf(operation: string, status: number): 'debug' | 'info' | 'error' {
  if (status === 500) return 'error'
  return ['health', 'ready', 'metrics'].includes(operation) ? 'debug' : 'info'
}
