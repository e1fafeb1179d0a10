import { WalletError } from '../../errors.ts'

/** What waited this long for a signature is not signed any more: what the user saw is too old (docs/security.md). */
const signWithinMs = 10 * 60 * 1_000

/**
 * Throws `stale-review` for what was agreed to longer ago than that. A clock set back makes an age that means nothing.
 * @param since milliseconds since 1970, as `now`
 */
export function requireFreshReview(since: number, now: number): void {
  if (Math.abs(now - since) <= signWithinMs) return
  throw new WalletError('stale-review', 'It was confirmed more than ten minutes ago.')
}
