import type { WalletError } from '../../errors.ts'
import type { SimulationVerdict } from '../activity/simulation.ts'
import type { Trade } from './quote.ts'
import { returnedBy } from './simulationCheck.ts'
import type { SwapTerms } from './swap.ts'

/** Returns the return, before slippage, at the price that stopped a swap; undefined for other causes. */
export function newReturns({ code, facts }: Pick<WalletError, 'code' | 'facts'>): bigint | undefined {
  if (code === 'reverted')
    return facts.step === undefined || facts.step === 'swap' ? returnedBy(facts) : undefined
  if (code !== 'below-floor') return undefined
  const told = facts.serviceCode === 'INSUFFICIENT_RETURN' ? facts.dstAmount : facts.returns
  return told !== undefined && /^\d{1,78}$/.test(told) ? BigInt(told) : undefined
}

/** Returns the same by simulation. A partial fill is scaled to the whole amount. */
export function simulatedReturns(
  verdict: SimulationVerdict,
  { sell, amount }: Trade,
  { allowPartialFill }: Pick<SwapTerms, 'allowPartialFill'> = {},
): bigint | undefined {
  if (verdict.status !== 'below-floor') return undefined
  const { received, seen } = verdict
  if (received === undefined) return undefined
  const spent = -(
    seen.changes.find(({ token, nft }) => token.address === sell && nft === undefined)?.amount ?? 0n
  )
  const isPart = allowPartialFill === true && spent > 0n && spent < amount
  return isPart ? (received * amount) / spent : received
}
