import type { Chain } from '../../evm/client.ts'

/** Exclusive bounds of a swap's deadline, in seconds since 1970. */
export type Deadlines = { after: bigint; before: bigint }

/** Seconds; twice the journal's resend time. */
const maxLife = 1_200n

/**
 * Returns the accepted deadlines, up to `maxLife` after the newest block or the clock: blocks may be old,
 * clocks late.
 */
export async function readDeadlines(chain: Pick<Chain, 'blockTime'>, nowMs: number): Promise<Deadlines> {
  const block = await chain.blockTime()
  const clock = BigInt(Math.floor(nowMs / 1_000))
  return { after: block, before: (clock > block ? clock : block) + maxLife + 1n }
}
