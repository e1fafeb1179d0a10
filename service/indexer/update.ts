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
  pools: readonly PoolSnapshot[]
}
