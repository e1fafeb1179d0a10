import { WalletError } from '../../errors.ts'

/** Throws `unsafe-transaction` unless what the service's answer says of `fact` is what was expected. */
export function requireEqual(fact: string, found: string | bigint, expected: string | bigint): void {
  if (found.toString().toLowerCase() === expected.toString().toLowerCase()) return
  throw unsafeTransaction(fact, expected.toString(), found.toString())
}

/** `fact` names what disagreed: the UI has a sentence for each. */
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
