import { type RouteOptions, routeLimits } from '../domain/swap/routeOptions.ts'
import { formatExact } from '../domain/token/amount.ts'
import type { Address } from '../domain/token/token.ts'
import type { Query } from './http.ts'
import { checkAddress, checkAmount, checkCount, invalidRequest, mapOptional } from './validateRequest.ts'

export function routeQuery(options: RouteOptions): Query {
  const count = (name: 'complexityLevel' | 'parts' | 'mainRouteParts' | 'gasLimit') =>
    mapOptional(options[name], (value) => checkCount(name, value, routeLimits[name]))
  return {
    protocols: mapOptional(options.protocols, (ids) => checkSources('protocols', ids)),
    // Exact with two decimals.
    fee: mapOptional(options.feeBps, (bps) =>
      formatExact(BigInt(checkCount('feeBps', bps, routeLimits.feeBps)), 2),
    ),
    gasPrice: mapOptional(options.gasPrice, (wei) => checkAmount('gasPrice', wei, 0n)),
    complexityLevel: count('complexityLevel'),
    parts: count('parts'),
    mainRouteParts: count('mainRouteParts'),
    gasLimit: count('gasLimit'),
    connectorTokens: mapOptional(options.connectorTokens, checkConnectors),
  }
}

/** Joins the ids; undefined for none, which is no filter. */
export function excludedText(ids: string[] | undefined): string | undefined {
  return ids?.length ? checkSources('excludedProtocols', ids) : undefined
}

function checkSources(field: string, ids: string[]): string {
  const areIds = Array.isArray(ids) && ids.length > 0 && ids.every((id) => /^[^\s,]+$/.test(id))
  if (!areIds) throw invalidRequest(field, 'must name at least one liquidity source')
  return ids.join(',')
}

function checkConnectors(connectors: number | Address[]): number | string {
  if (!Array.isArray(connectors)) {
    return checkCount('connectorTokens', connectors, routeLimits.connectorTokens)
  }
  const [, most] = routeLimits.connectorTokens
  if (connectors.length < 1 || connectors.length > most) {
    throw invalidRequest('connectorTokens', `must be a count up to ${most}, or one to ${most} tokens`)
  }
  return connectors.map((token) => checkAddress('connectorTokens', token)).join(',')
}
