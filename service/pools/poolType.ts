import type { AbiEvent, Hex } from 'viem'
import type { Address, Factory } from '../config.ts'
import type { BlockRef, Chain, Log } from '../indexer/chain.ts'
import type { Pool } from './pool.ts'

/** Immutable data of a pool. */
export type PoolInfo<Fixed = unknown> = {
  kind: Factory['kind']
  source: string
  address: Address
  /** In the pool's order. */
  tokens: readonly Address[]
  fixed: Fixed
}

/** A pool at the end of a block; plain data for IPC. */
export type PoolSnapshot<Fixed = unknown, State = unknown> = { listing: PoolInfo<Fixed>; state: State }

/** A pool to read, and its logs since `before`. */
export type PoolReadRequest<Fixed = unknown, State = unknown> = {
  listing: PoolInfo<Fixed>
  before: State | undefined
  logs: readonly Log[]
}

/** A question to a factory for the pool of two tokens; contracts/PoolFinder.sol asks it. */
export type PoolQuery = {
  /** Of `f(address, address)`, or with an argument of `f(address, address, T)`. */
  signature: string
  argument?: number
  /** True to ask by the native token in place of the wrapped one, and only for pairs that have this. */
  isNative?: true
  /** Signature of `f(T)`; the query is left out where the factory answers 0. */
  check?: string
  /**
   * For Uniswap v4: returns the id of the pool that the argument names, and the slot where its price is;
   * undefined if it names none.
   */
  keyed?(one: Address, other: Address, wrapped: Address): { id: Hex; slot: Hex } | undefined
}

/** A pool that a factory named; `checked` is the answer of the query's check. */
export type FoundPool = {
  address: Address
  /** Sorted. */
  tokens: readonly [Address, Address]
  argument: number
  checked: number
}

/** How factories are asked for the pools of a pair; tells the same of a pool as `list` for its creation. */
export type PoolLookup<Fixed = unknown> = {
  queries: readonly PoolQuery[]
  /** True if factories have pools that no query names. */
  isPartial?: true
} & (
  | { list(found: FoundPool, factory: Factory, wrapped: Address): PoolInfo<Fixed> }
  /** Where the factory's answer does not suffice: one more read. Skips unsupported pools. */
  | {
      read(
        chain: Chain,
        block: BlockRef,
        found: readonly FoundPool[],
        factory: Factory,
        wrapped: Address,
      ): Promise<PoolInfo<Fixed>[]>
    }
)

/** Functions of a pool kind. */
export type PoolType<Fixed, State> = {
  /** Undefined where the config names the pools themselves, which `list` returns without logs. */
  created?: AbiEvent | undefined
  /** Skips unsupported pools; `wrapped` stands for the native token. */
  list(
    chain: Chain,
    block: BlockRef,
    logs: readonly Log[],
    factory: Factory,
    wrapped: Address,
  ): Promise<PoolInfo<Fixed>[]>
  /** A pool's state at its creation, from that log, for kinds whose later logs tell where it changes. */
  initial?(created: Log): State
  /**
   * True if anyone can create any number of these for a pair: of each pair some are kept, by `holdings`
   * (poolLimit.ts).
   */
  isExtra?(listing: PoolInfo<Fixed>): boolean
  /** Base units of each token that the pool can pay, none while it is closed; for kinds with `isExtra`. */
  holdings?(state: State): readonly bigint[]
  /**
   * For kinds with `isExtra` whose states take many requests: returns the least that each pool holds around
   * its price, in one unit for all pools of a pair.
   */
  probe?(chain: Chain, block: BlockRef, listings: readonly PoolInfo<Fixed>[]): Promise<bigint[]>
  /** Undefined where a factory cannot be asked for the pools of a pair. */
  lookup?: PoolLookup<Fixed>
  /** The only events that change a pool's state. */
  changes: readonly AbiEvent[]
  /** A pool, or a factory if the log concerns all its pools. */
  poolOf(log: Log): Address
  /** For kinds whose factories change their pools. */
  factoryOf?(listing: PoolInfo<Fixed>): Address
  /** For kinds whose pools another contract changes too, some by events that name no pool. */
  managerOf?(state: State): Address
  /** True if the state changes without events. */
  isRestless(state: State): boolean
  /** In the order of `readings`; from their logs alone where these tell the whole state. */
  read(chain: Chain, block: BlockRef, readings: readonly PoolReadRequest<Fixed, State>[]): Promise<State[]>
  pool(listing: PoolInfo<Fixed>, state: State): Pool
  /** Validates untrusted data. */
  isValid(tokenCount: number, fixed: unknown, state: unknown): boolean
}
