import type { Address } from '../config.ts'

/** Pools whose reads use up their gas, and the blocks at which they are read again. */
export type BackOff = {
  /**
   * Of `pools`, those to read at a block: all that have not failed, and of the others that are due a few,
   * longest due first.
   */
  due(pools: readonly Address[], block: bigint): Set<Address>
  failed(pool: Address, block: bigint): void
  succeeded(pool: Address): void
}

/** Pools that have failed before, per reading. */
const maxRetries = 4

/** Blocks between reads: one after the first failure, then twice as many each time. */
const maxFailures = 13

export function createBackOff(): BackOff {
  const known = new Map<Address, { failures: number; at: bigint; next: bigint }>()

  return {
    due(pools, block) {
      // The blocks of a failure may have been replaced.
      for (const [pool, { at }] of known) if (at > block) known.delete(pool)
      const nextOf = (pool: Address) => known.get(pool)?.next ?? 0n
      const failing = [...new Set(pools.filter((pool) => known.has(pool)))]
      const ready = failing.filter((pool) => nextOf(pool) <= block)
      ready.sort((a, b) => Number(nextOf(a) - nextOf(b)) || (a < b ? -1 : 1))
      const retried = new Set(ready.slice(0, maxRetries))
      return new Set(pools.filter((pool) => !known.has(pool) || retried.has(pool)))
    },

    failed(pool, block) {
      const failures = Math.min(maxFailures, (known.get(pool)?.failures ?? 0) + 1)
      known.set(pool, { failures, at: block, next: block + (1n << BigInt(failures - 1)) })
    },

    succeeded(pool) {
      known.delete(pool)
    },
  }
}
