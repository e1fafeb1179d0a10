import type { AbiEvent } from 'viem'
import type { Address, Factory } from '../config.ts'
import type { Chain, Log } from '../indexer/chain.ts'
import type { Pool } from './pool.ts'

/** What never changes of a pool. `fixed` concerns nobody but its kind, and so does the state. */
export type PoolInfo<Fixed = unknown> = {
  kind: Factory['kind']
  source: string
  address: Address
  /** Two or more, in the pool's own order. */
  tokens: readonly Address[]
  fixed: Fixed
}

/** A pool as it stands at the end of one block: plain data, which travels between processes. */
export type PoolSnapshot<Fixed = unknown, State = unknown> = { listing: PoolInfo<Fixed>; state: State }

/** A pool to be read: its state as it was known, if it was, and its logs since then. */
export type PoolReadRequest<Fixed = unknown, State = unknown> = {
  listing: PoolInfo<Fixed>
  before: State | undefined
  logs: readonly Log[]
}

/** How a kind of pool is found and read. What one pays is a function of its listing and its state. */
export type PoolType<Fixed, State> = {
  /** The factory's event for a new pool. */
  created: AbiEvent
  /** The pools of such events, as they are known at the end of `block`. Those that the kind cannot compute are left out. */
  list(chain: Chain, block: bigint, logs: readonly Log[], factory: Factory): Promise<PoolInfo<Fixed>[]>
  /** After these events of a pool, and only these, its state is another. */
  changes: readonly AbiEvent[]
  /** The pool that one of them speaks of. */
  poolOf(log: Log): Address
  /** Whether the state moves on without events: then it is read again at each block. */
  isRestless(state: State): boolean
  /** The states at the end of `block`, in the order of `readings`. */
  read(chain: Chain, block: bigint, readings: readonly PoolReadRequest<Fixed, State>[]): Promise<State[]>
  pool(listing: PoolInfo<Fixed>, state: State): Pool
  /** Whether `pool` can compute with them, for a pool of so many tokens that another process or host has written. */
  isValid(tokenCount: number, fixed: unknown, state: unknown): boolean
}
