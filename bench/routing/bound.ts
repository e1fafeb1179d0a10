import type { Engine } from '../../service/engine.ts'
import type { RouteRequest } from '../../service/routing/route.ts'
import { summarize } from '../measure.ts'
import { unlimited } from './trades.ts'

/**
 * Compares routes with an upper bound. The gap without limits is the search's loss, the rest the limits'.
 * `boundOf` is independent of the service; without it, the bound is the route's own certificate.
 */
export async function compareWithBound(
  engine: Engine,
  requests: readonly RouteRequest[],
  boundOf: (request: RouteRequest) => number | undefined = () => undefined,
) {
  const bounds = requests.map((request) => boundOf(request))
  const within = await partsOf(engine, requests, bounds)
  const free = requests.map((request) => ({ ...request, limits: unlimited(request.limits) }))
  const without = await partsOf(engine, free, bounds)
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

async function partsOf(
  engine: Engine,
  requests: readonly RouteRequest[],
  bounds: readonly (number | undefined)[],
): Promise<Part[]> {
  const parts: Part[] = []
  for (const [i, request] of requests.entries()) {
    const route = await engine.route(request, { isProven: true })
    if (route?.certificate === undefined) continue
    const upper = Number(route.certificate.upper)
    const bound = bounds[i] ?? upper
    parts.push({ ofBound: Number(route.returns) / bound, certified: upper / bound })
  }
  return parts
}
