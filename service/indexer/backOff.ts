import type { Address } from '../config.ts'

/** Pools whose reads use up their gas, and the blocks at which they are read again. */
export type BackOff = {
  /**
   * Of `pools`, those to read at a block: all that have not failed, and of the others that are due a few,
   * longest due first.
   */
  due(pools: readonly Address[], block: bigint): Set<Address>
  failed(pool: Address, block: bigint): void
  /** Has no effect if the pool has failed at a later block. */
  succeeded(pool: Address, block: bigint): void
}

/** Pools that have failed before, per reading. */
const maxRetries = 4

/** Blocks between reads: one after the first failure, then twice as many each time. */
const maxFailures = 13

/** Lookups read some blocks behind the newest; failures that are further ahead were of another fork. */
const maxLag = 256n

/** Since it could be read again, in blocks: a pool that is not asked for so long is no longer followed. */
const maxWait = 8_192n

export function createBackOff(): BackOff {
  const known = new Map<Address, { failures: number; at: bigint; next: bigint }>()

  return {
    due(pools, block) {
      for (const [pool, { at, next }] of known) {
        if (at > block + maxLag || next + maxWait < block) known.delete(pool)
      }
      const nextOf = (pool: Address) => known.get(pool)?.next ?? 0n
      const failing = [...new Set(pools.filter((pool) => known.has(pool)))]
      const ready = failing.filter((pool) => nextOf(pool) <= block)
      ready.sort((a, b) => Number(nextOf(a) - nextOf(b)) || (a < b ? -1 : 1))
      const retried = new Set(ready.slice(0, maxRetries))
      return new Set(pools.filter((pool) => !known.has(pool) || retried.has(pool)))
    },

    failed(pool, block) {
      const last = known.get(pool)
      const failures = Math.min(maxFailures, (last?.failures ?? 0) + 1)
      const at = last !== undefined && last.at > block ? last.at : block
      known.set(pool, { failures, at, next: at + (1n << BigInt(failures - 1)) })
    },

    succeeded(pool, block) {
      const last = known.get(pool)
      if (last !== undefined && last.at <= block) known.delete(pool)
    },
  }
}
