import type { Address, TokenInfo } from '../config.ts'
import { ServiceError } from '../errors.ts'
import { certify, formatBound } from '../routing/certificate.ts'
import type { Service } from '../service.ts'
import { approval } from '../swap/approvals.ts'
import type { Plan } from '../swap/quote.ts'
import type { Swap } from '../swap/swap.ts'
import { nativeTokenAddress } from '../tokens/registry.ts'

// What both versions write in the same words.

export function formatTransaction({ transaction, plan, gas }: Swap) {
  const { from, to, data, value } = transaction
  return { from, to, data, value: String(value), gasPrice: String(plan.gasPrice), gas: Number(gas) }
}

/** How far from the best any router could do a quote is at most. */
export function formatProof({ route }: Plan) {
  return { 'x-route-bound': formatBound(certify(route)) }
}

/** Throws what is wrong with approving `token`: it is none, or it is the coin. */
export async function formatApproval(service: Service, token: Address, amount?: bigint) {
  await service.tokens.requireKnown(token)
  if (token === nativeTokenAddress)
    throw new ServiceError('VALIDATION_FAILED', 'the native coin needs no approval')
  const gasPrice = String(service.engine().gasPrice())
  return { ...approval(token, service.config.router, amount), gasPrice, value: '0' as const }
}

/**
 * The token with a logo that loads: the list's, else the one that is served under `base`, the URL of a
 * version and a chain.
 */
export function formatToken(token: TokenInfo, base: string): TokenInfo {
  return {
    ...token,
    logoURI: isPicture(token.logoURI) ? token.logoURI : `${base}/tokens/${token.address}.svg`,
  }
}

/** True when an `<img>` loads it: lists also hold `ipfs:` URIs, paths and empty texts. */
function isPicture(uri: string): boolean {
  return /^(https?:\/\/|data:image\/)/i.test(uri) && URL.canParse(uri)
}
