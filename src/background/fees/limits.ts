import type { FeeLimits } from '../../domain/network/feeLimits.ts'
import { WalletError } from '../../errors.ts'

/** Throws `fee-too-high` if `total` (wei) or `tip` (wei per gas) exceeds the limits. */
export function checkFeeLimits(limits: FeeLimits, total: bigint, tip: bigint): void {
  if (tip > limits.tip) throw tooHigh('priority fee', limits.tip, tip)
  if (total > limits.total) throw tooHigh('network fee', limits.total, total)
}

function tooHigh(fact: string, expected: bigint, found: bigint): WalletError {
  return new WalletError('fee-too-high', `The ${fact} of ${found} wei is above the limit of ${expected}.`, {
    fact,
    expected: String(expected),
    found: String(found),
  })
}
