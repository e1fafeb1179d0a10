import { WalletError } from '../../errors.ts'

/** Maximum age of a confirmation at signing (docs/security/journal.md). */
const signWithinMs = 10 * 60 * 1_000

/** Throws `stale-review` for older confirmations or future times. Milliseconds since 1970. */
export function requireRecentConfirmation(since: number, now: number): void {
  if (Math.abs(now - since) <= signWithinMs) return
  throw new WalletError('stale-review', 'It was confirmed more than ten minutes ago.')
}
