import { WalletError } from '../../errors.ts'

/** Throws `unsafe-transaction` unless equal, ignoring case. */
export function requireEqual(fact: string, found: string | bigint, expected: string | bigint): void {
  if (found.toString().toLowerCase() === expected.toString().toLowerCase()) return
  throw unsafeTransaction(fact, expected.toString(), found.toString())
}

/** `fact` selects the text in the UI. */
export function unsafeTransaction(
  fact: string,
  expected?: string,
  found?: string,
  cause?: unknown,
): WalletError {
  return new WalletError(
    'unsafe-transaction',
    `The ${fact} in the service's transaction is not what was agreed.`,
    { fact, ...(expected !== undefined && { expected }), ...(found !== undefined && { found }) },
    cause === undefined ? {} : { cause },
  )
}
