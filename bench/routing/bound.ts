import type { Engine } from '../../service/engine.ts'
import type { RouteRequest } from '../../service/routing/route.ts'
import { summarize } from '../measure.ts'
import { unlimited } from './trades.ts'

/**
 * Compares routes with upper bounds. `boundOf` is independent of the service, and bounds routes of at most
 * `leaving` hops out of the sold token if that is given; without it, the bound is the route's certificate.
 */
export async function compareWithBound(
  engine: Engine,
  requests: readonly RouteRequest[],
  boundOf?: (request: RouteRequest, leaving?: number) => number,
) {
  const bounds = requests.map((request) => boundOf?.(request))
  const within = await partsOf(engine, requests, bounds, boundOf)
  const free = requests.map((request) => ({ ...request, limits: unlimited(request.limits) }))
  const without = await partsOf(engine, free, bounds)
  const sum = (parts: readonly Pick<Part, 'ofBound'>[]) => {
    const { mean, least } = summarize(parts.map(({ ofBound }) => ofBound))
    const sorted = parts.map(({ ofBound }) => ofBound).sort((a, b) => a - b)
    return { mean, worst: least, median: sorted[parts.length >> 1] ?? 0 }
  }
  const ofReachable = within.map(({ ofReachable }) => ({ ofBound: ofReachable }))
  return {
    trades: within.length,
    limited: sum(within),
    /** Of the bound within the limit on hops out of the sold token. */
    reachable: boundOf === undefined ? undefined : sum(ofReachable),
    unlimited: sum(without),
    /** The certificate's bound as a part of the independent one, least and most. */
    certificate: summarize(within.map(({ certified }) => certified)),
  }
}

type Part = { ofBound: number; ofReachable: number; certified: number }

async function partsOf(
  engine: Engine,
  requests: readonly RouteRequest[],
  bounds: readonly (number | undefined)[],
  boundOf?: (request: RouteRequest, leaving: number) => number,
): Promise<Part[]> {
  const parts: Part[] = []
  for (const [i, request] of requests.entries()) {
    const route = await engine.route(request, { isProven: true })
    if (route?.certificate === undefined) continue
    const upper = Number(route.certificate.upper)
    const bound = bounds[i] ?? upper
    const returns = Number(route.returns)
    const { mainRouteParts } = request.limits
    const isLimited = route.edges.filter(({ from }) => from === 0).length === mainRouteParts
    const reachable = boundOf && isLimited ? Math.min(boundOf(request, mainRouteParts), bound) : bound
    parts.push({ ofBound: returns / bound, ofReachable: returns / reachable, certified: upper / bound })
  }
  return parts
}
