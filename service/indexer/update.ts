import type { Hex } from 'viem'
import type { PoolSnapshot } from '../pools/poolType.ts'
import type { Header } from './chain.ts'

/** The full pool state of a block, or its changes; plain data for IPC. */
export type Update = {
  /** Undefined for a full state. */
  after?: Hex
  block: Header
  /** Wei. */
  tip: bigint
  /** Wei per byte of calldata on L1; absent where the chain has no oracle of it. */
  l1ByteFee?: bigint
  pools: readonly PoolSnapshot[]
}

/** An update whose pools are made one by one. */
export type StreamedUpdate = Omit<Update, 'pools'> & { pools: Iterable<PoolSnapshot> }

/** An update whose pools are decoded, and may turn out to be invalid, while they are read. */
export type DecodedUpdate = Omit<Update, 'pools'> & { pools: AsyncIterable<readonly PoolSnapshot[]> }
