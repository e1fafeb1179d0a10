import type { Address, TokenInfo } from '../config.ts'
import { ServiceError } from '../errors.ts'
import { formatBound } from '../routing/optimizer/certificate.ts'
import type { Service } from '../service.ts'
import { approval } from '../swap/approvals.ts'
import type { Plan } from '../swap/quote.ts'
import type { Swap } from '../swap/swap.ts'
import { nativeTokenAddress } from '../tokens/registry.ts'

export function formatTransaction({ transaction, plan, gas }: Swap) {
  const { from, to, data, value } = transaction
  return { from, to, data, value: String(value), gasPrice: String(plan.gasPrice), gas: Number(gas) }
}

/** Returns the header with the bound on returns, of a plan with a certificate. */
export function formatProof({ route: { certificate } }: Plan): Record<string, string> {
  return certificate === undefined ? {} : { 'x-route-bound': formatBound(certificate) }
}

/** Throws when `token` is unknown or native. */
export async function formatApproval(service: Service, token: Address, amount?: bigint) {
  await service.tokens.requireKnown(token)
  if (token === nativeTokenAddress)
    throw new ServiceError('VALIDATION_FAILED', 'the native coin needs no approval')
  const gasPrice = String(service.engine().gasPrice())
  return { ...approval(token, service.config.router, amount), gasPrice, value: '0' as const }
}

/** Returns a token whose logo loads: its own, or one under `base`. */
export function formatToken(token: TokenInfo, base: string): TokenInfo {
  return {
    ...token,
    logoURI: isPicture(token.logoURI) ? token.logoURI : `${base}/tokens/${token.address}.svg`,
  }
}

/** Lists also contain `ipfs:` URIs, paths and empty texts. */
function isPicture(uri: string): boolean {
  return /^(https?:\/\/|data:image\/)/i.test(uri) && URL.canParse(uri)
}
