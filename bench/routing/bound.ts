import type { Engine } from '../../service/engine.ts'
import { certify } from '../../service/routing/optimizer/certificate.ts'
import type { RouteRequest } from '../../service/routing/route.ts'
import { summarize } from '../measure.ts'
import { unlimited } from './trades.ts'

/**
 * Compares routes with the upper bound. The gap without limits is the search's loss, the rest the limits'.
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
