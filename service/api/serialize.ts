import type { Address, TokenInfo } from '../config.ts'
import { ServiceError } from '../errors.ts'
import type { SettledRoute } from '../routing/gasParts.ts'
import { formatBound } from '../routing/optimizer/certificate.ts'
import type { Service } from '../service.ts'
import { approval } from '../swap/approvals.ts'
import type { Plan } from '../swap/quote.ts'
import type { Swap } from '../swap/swap.ts'
import { nativeTokenAddress } from '../tokens/registry.ts'
import { describePaths } from './describeRoute.ts'

export function formatTransaction({ transaction, plan, gas }: Swap) {
  const { from, to, data, value } = transaction
  return { from, to, data, value: String(value), gasPrice: String(plan.gasPrice), gas: Number(gas) }
}

/** Returns the header with the bound on returns, of a plan with a certificate. */
export function formatProof({ route: { certificate } }: Plan): Record<string, string> {
  return certificate === undefined ? {} : { 'x-route-bound': formatBound(certificate) }
}

/** Formats a route for versions 3.0 and 6.0: main routes, steps of each, pieces of each. */
export function formatPaths(route: SettledRoute) {
  return describePaths(route).map((steps) =>
    steps.map((pieces) =>
      pieces.map(({ source, percent, sell, buy }) => {
        return { name: source, part: percent, fromTokenAddress: sell, toTokenAddress: buy }
      }),
    ),
  )
}

/** Returns 8 significant digits without an exponent. */
export function formatPrice(price: number): string {
  const digits = Math.min(100, Math.max(0, 7 - Math.floor(Math.log10(price))))
  const text = price.toFixed(digits)
  return digits === 0 ? text : text.replace(/\.?0+$/, '')
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
