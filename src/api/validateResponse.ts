import type { Trade } from '../domain/swap/quote.ts'
import type { Address } from '../domain/token/token.ts'
import { WalletError } from '../errors.ts'

/**
 * `returns`, when it is more than nothing. Zero is a well-formed amount, so it is not garbled; but it is no offer either: it
 * means that the amount sold is worth less than the smallest unit of what is bought.
 */
export function requireNonZero(returns: bigint, trade: Trade): bigint {
  if (returns > 0n) return returns
  throw new WalletError('no-route', 'The amount is too small: it would buy nothing.', {
    amount: String(trade.amount),
  })
}

/** That the answer is for the pair or amount that was asked for: a price of something else is none. */
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
