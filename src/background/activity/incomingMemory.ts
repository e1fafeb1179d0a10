import type { Address } from '../../domain/token/token.ts'
import type { TokenArrival, TokenArrivals } from '../../evm/incoming.ts'
import type { SeenBalances } from './incomingStore.ts'

/** Reads without an explanation until a raised balance is accepted: an RPC may lag or fail. */
export const maxTries = 3
/** Reads in a row that may end before the newest block; then older blocks are given up. */
const maxPartialReads = 40

/** Since the worker started. */
export type Memory = {
  /** Tokens seen without a balance. */
  empty: Set<Address>
  /** Reads of a raise that no log explained. */
  tries: Map<Address, number>
  /** Failed log reads in a row. */
  failures: number
  /** Reads in a row that ended before the newest block, and the tokens that they explained. */
  partialReads: number
  explained: Set<Address>
}

export const emptyMemory = (): Memory => ({
  empty: new Set(),
  tries: new Map(),
  failures: 0,
  partialReads: 0,
  explained: new Set(),
})

/** True if newer blocks are still to be read. */
export function isBehind({ arrivals, to }: TokenArrivals, head: bigint, memory: Memory): boolean {
  const isRead = to >= head || memory.partialReads >= maxPartialReads
  memory.partialReads = isRead ? 0 : memory.partialReads + 1
  for (const { token } of arrivals) memory.explained.add(token)
  return !isRead
}

/** True if the log of a transfer is still to be found. */
export function isUnexplained(
  token: Address,
  logged: TokenArrival[],
  seen: SeenBalances,
  { tries, explained, ...memory }: Memory,
): boolean {
  if (explained.delete(token) || logged.some((one) => one.token === token)) {
    tries.delete(token)
    return false
  }
  const count = (tries.get(token) ?? 0) + 1
  tries.set(token, count)
  return count < maxTries && isKnown(token, seen, memory)
}

/** False for a token whose balance was never read, as one that was just added. */
export function isKnown(token: Address, { tokens }: SeenBalances, { empty }: Pick<Memory, 'empty'>): boolean {
  return (tokens[token] ?? 0n) > 0n || empty.has(token)
}
