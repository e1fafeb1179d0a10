import type { z } from 'zod'
import type { TradeRequest } from '../swap/request.ts'
import * as parameter from './parameters.ts'

/** What both versions ask of a route in the same words. */
export const routeQuery = {
  protocols: parameter.sources.exactOptional(),
  fee: parameter.fee,
  gasPrice: parameter.gasPrice.exactOptional(),
  complexityLevel: parameter.complexityLevel,
  parts: parameter.parts,
  mainRouteParts: parameter.mainRouteParts,
  gasLimit: parameter.gasLimit,
}

type RouteQuery = z.output<z.ZodObject<typeof routeQuery>>

/** The same in ours. */
export function toLimits({ protocols, fee, gasPrice, ...limits }: RouteQuery) {
  const { complexityLevel, parts, mainRouteParts, gasLimit } = limits
  return {
    feePpm: fee,
    complexityLevel,
    parts,
    mainRouteParts,
    gasLimit,
    ...(gasPrice === undefined ? {} : { gasPrice }),
    ...(protocols === undefined ? {} : { sources: protocols }),
  } satisfies Partial<TradeRequest>
}
