import { formatExact } from '../domain/amount.ts'
import type { RouteOptions } from '../domain/options.ts'
import type { Address } from '../domain/token.ts'
import type { Query } from './http.ts'
import { checkAddress, checkAmount, checkCount, given, invalid } from './limits.ts'

/** What both versions ask of a route in the same words. */
export function routeQuery(options: RouteOptions): Query {
  return {
    protocols: given(options.protocols, (ids) => checkSources('protocols', ids)),
    // A hundredth of a percent has at most two decimals, so the text is exact.
    fee: given(options.feeBps, (bps) => formatExact(BigInt(checkCount('feeBps', bps, 0, 300)), 2)),
    gasPrice: given(options.gasPrice, (wei) => checkAmount('gasPrice', wei, 0n)),
    complexityLevel: given(options.complexityLevel, (level) => checkCount('complexityLevel', level, 0, 2)),
    parts: given(options.parts, (parts) => checkCount('parts', parts, 0, 50)),
    mainRouteParts: given(options.mainRouteParts, (parts) => checkCount('mainRouteParts', parts, 0, 10)),
    gasLimit: given(options.gasLimit, (gas) => checkCount('gasLimit', gas, 100_000, 11_500_000)),
    connectorTokens: given(options.connectorTokens, checkConnectors),
  }
}

/** Undefined for none: excluding nothing is not a filter, while allowing nothing would be one. */
export function excludedText(ids: string[] | undefined): string | undefined {
  return ids?.length ? checkSources('excludedProtocols', ids) : undefined
}

function checkSources(field: string, ids: string[]): string {
  const areIds = Array.isArray(ids) && ids.length > 0 && ids.every((id) => /^[^\s,]+$/.test(id))
  if (!areIds) throw invalid(field, 'must name at least one liquidity source')
  return ids.join(',')
}

function checkConnectors(connectors: number | Address[]): number | string {
  if (!Array.isArray(connectors)) return checkCount('connectorTokens', connectors, 0, 5)
  if (connectors.length < 1 || connectors.length > 5) {
    throw invalid('connectorTokens', 'must be a count up to 5, or one to five tokens')
  }
  return connectors.map((token) => checkAddress('connectorTokens', token)).join(',')
}
