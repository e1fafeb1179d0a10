import type { Engine } from '../../service/engine.ts'
import { certify } from '../../service/routing/optimizer/certificate.ts'
import type { RouteRequest } from '../../service/routing/route.ts'
import { summarize } from '../measure.ts'
import { unlimited } from './trades.ts'

/**
 * Compares routes with an upper bound. The gap without limits is the search's loss, the rest the limits'.
 * `boundOf` is independent of the service; without it, the bound is the route's own certificate.
 */
export function compareWithBound(
  engine: Engine,
  requests: readonly RouteRequest[],
  boundOf: (request: RouteRequest) => number | undefined = () => undefined,
) {
  const bounds = requests.map((request) => boundOf(request))
  const within = requests.flatMap((request, i) => partOf(engine, request, bounds[i]))
  const without = requests.flatMap((request, i) =>
    partOf(engine, { ...request, limits: unlimited(request.limits) }, bounds[i]),
  )
  const sum = (parts: readonly Part[]) => {
    const { mean, least } = summarize(parts.map(({ ofBound }) => ofBound))
    const sorted = parts.map(({ ofBound }) => ofBound).sort((a, b) => a - b)
    return { mean, worst: least, median: sorted[parts.length >> 1] ?? 0 }
  }
  return {
    trades: within.length,
    limited: sum(within),
    unlimited: sum(without),
    /** The certificate's bound as a part of the independent one, least and most. */
    certificate: summarize(within.map(({ certified }) => certified)),
  }
}

type Part = { ofBound: number; certified: number }

function partOf(engine: Engine, request: RouteRequest, bound: number | undefined): Part[] {
  const route = engine.route(request)
  if (route === undefined) return []
  const upper = Number(certify(route).upper)
  return [{ ofBound: Number(route.returns) / (bound ?? upper), certified: upper / (bound ?? upper) }]
}
