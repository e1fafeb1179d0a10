import type { z } from 'zod'
import type { TradeRequest } from '../swap/request.ts'
import * as parameter from './parameters.ts'

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
