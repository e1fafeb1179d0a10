import type { AbiEvent } from 'viem'
import type { Chain, Log } from '../chain.ts'
import type { Address, Factory } from '../config.ts'
import type { Pool } from './pool.ts'

/** What never changes of a pool: what its factory's event said. */
export type Listing = {
  kind: Factory['kind']
  source: string
  address: Address
  /** In the pool's own order. */
  tokens: readonly [Address, Address]
  feePpm: number
  /** Of concentrated pools. */
  tickSpacing: number
}

/** A pool to be read: its state as it was known, if it was, and its logs since then. */
export type Reading<State> = { listing: Listing; before: State | undefined; logs: readonly Log[] }

/** How a kind of pool is found and read. What one pays is a function of its listing and its state. */
export type Kind<State> = {
  /** The factory's event for a new pool. */
  created: AbiEvent
  /** The pool of such an event. */
  list(log: Log, factory: Factory): Listing
  /** After these events of a pool, and only these, its state is another. */
  changes: readonly AbiEvent[]
  /** The states at the end of `block`, in the order of `readings`. */
  read(chain: Chain, block: bigint, readings: readonly Reading<State>[]): Promise<State[]>
  pool(listing: Listing, state: State): Pool
}
