import type { Trade } from '../domain/swap/quote.ts'
import type { Address } from '../domain/token/token.ts'
import { WalletError } from '../errors.ts'

/** Rejects zero, which is valid but no quote: worth less than the bought token's smallest unit. */
export function requireNonZero(returns: bigint, trade: Trade): bigint {
  if (returns > 0n) return returns
  throw new WalletError('no-route', 'The amount is too small: it would buy nothing.', {
    amount: String(trade.amount),
  })
}

export function requireSameTrade<Value extends Address | bigint>(
  operation: string,
  [field, found]: [string, Value],
  expected: Value,
): void {
  if (found === expected) return
  const fact = typeof found === 'bigint' ? 'amount' : 'pair'
  throw new WalletError(
    'service-garbled',
    `The swap service answered ${operation} for another ${fact}: ${field} is ${found}, not ${expected}.`,
    { operation, field, fact, expected: String(expected), found: String(found) },
  )
}
