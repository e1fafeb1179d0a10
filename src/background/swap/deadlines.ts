import type { Chain } from '../../evm/client.ts'

/** Bounds of a swap's deadline, in seconds since 1970, neither included. */
export type Deadlines = { after: bigint; before: bigint }

/** The longest time that a signed swap may stay executable, in seconds. The journal resends it for half as long. */
const longestLife = 1_200n

/**
 * The deadlines that are accepted now: later than the newest block, and not much later than that or this machine's clock, whichever is ahead.
 * On a chain without regular blocks the newest one may be old; a clock that is behind does not refuse an honest swap.
 */
export async function readDeadlines(chain: Pick<Chain, 'blockTime'>, nowMs: number): Promise<Deadlines> {
  const block = await chain.blockTime()
  const clock = BigInt(Math.floor(nowMs / 1_000))
  return { after: block, before: (clock > block ? clock : block) + longestLife + 1n }
}
