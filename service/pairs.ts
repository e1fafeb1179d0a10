import type { Address } from './config.ts'

/** The addresses of the pools between two tokens, under both orders of the pair. */
export type Pairs = ReadonlyMap<Address, ReadonlyMap<Address, readonly Address[]>>

export function pairUp(pools: Iterable<{ address: Address; tokens: readonly Address[] }>): Pairs {
  const pairs = new Map<Address, Map<Address, Address[]>>()
  for (const { address, tokens } of pools) {
    for (const one of tokens) {
      for (const other of tokens) {
        if (one === other) continue
        const others = pairs.get(one) ?? new Map<Address, Address[]>()
        pairs.set(one, others.set(other, [...(others.get(other) ?? []), address]))
      }
    }
  }
  return pairs
}
