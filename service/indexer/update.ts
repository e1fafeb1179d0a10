import type { Hex } from 'viem'
import type { Address } from '../config.ts'
import type { PoolSnapshot } from '../pools/poolType.ts'
import type { Header } from './chain.ts'

/**
 * The full pool state of a block, or its changes; plain data for IPC. With `after` the hash of `block` itself
 * it adds pools to the state of that block.
 */
export type Update = {
  /** Undefined for a full state. */
  after?: Hex
  block: Header
  /** Wei. */
  tip: bigint
  /** Wei per byte of calldata on L1; absent where the chain has no oracle of it. */
  l1ByteFee?: bigint
  /** Undefined for no change, and where all pools are followed. */
  tokens?: TokenUpdate
  /** Known pools that are no longer followed, as their state is invalid. */
  gone?: readonly Address[]
  pools: readonly PoolSnapshot[]
}

/** Changes of the tokens whose pools are followed; in a full state all of them. */
export type TokenUpdate = {
  /** All tokens of the list: every pool between them is followed. */
  listed?: readonly Address[]
  /** Unlisted tokens whose pools with the base tokens are followed from now on, in the order of their use. */
  found?: readonly Address[]
  /** Unlisted tokens whose known pools are followed, while others may have been created unseen. */
  stale?: readonly Address[]
  /** Unlisted tokens that are no longer followed. */
  dropped?: readonly Address[]
  /** Pairs of tokens whose pools are known. */
  pairs?: readonly TokenPair[]
  /** Tokens without a pool at this block. */
  absent?: readonly AbsentToken[]
}

export type TokenPair = readonly [Address, Address]

export type AbsentToken = { token: Address; hasCode: boolean }

/** An update whose pools are made one by one. */
export type StreamedUpdate = Omit<Update, 'pools'> & { pools: Iterable<PoolSnapshot> }

/** An update whose pools are decoded, and may turn out to be invalid, while they are read. */
export type DecodedUpdate = Omit<Update, 'pools'> & { pools: AsyncIterable<readonly PoolSnapshot[]> }
