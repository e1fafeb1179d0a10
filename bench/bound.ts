import type { Engine } from '../service/engine.ts'
import { certify } from '../service/routing/certificate.ts'
import type { RouteRequest } from '../service/routing/route.ts'
import { summarize } from './measure.ts'
import { unlimited } from './trades.ts'

/**
 * What routes return as parts of what nothing could exceed, within the limits of the requests and without any on pieces and
 * connectors: what the second lacks the search has lost, what the first lacks besides is the price of the limits.
 */
export function compareWithBound(engine: Engine, requests: readonly RouteRequest[]) {
  const within = requests.flatMap((request) => partOf(engine, request))
  const without = requests.flatMap((request) =>
    partOf(engine, { ...request, limits: unlimited(request.limits) }),
  )
  const sum = (parts: readonly number[]) => {
    const { mean, least } = summarize(parts)
    return { mean, worst: least, median: parts.toSorted((a, b) => a - b)[parts.length >> 1] ?? 0 }
  }
  return { trades: within.length, limited: sum(within), unlimited: sum(without) }
}

function partOf(engine: Engine, request: RouteRequest): number[] {
  const route = engine.route(request)
  return route ? [Number(route.returns) / Number(certify(route).upper)] : []
}
