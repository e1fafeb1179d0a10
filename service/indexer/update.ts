import type { Hex } from 'viem'
import type { PoolSnapshot } from '../pools/poolType.ts'
import type { Header } from './chain.ts'

/** What there is at the end of one block, or what has changed there: plain data, which travels between processes. */
export type Update = {
  /** The hash of the block whose pools it changes; absent when these are all there are. */
  after?: Hex
  block: Header
  /** Wei above the base fee that a fast transaction pays. */
  tip: bigint
  pools: readonly PoolSnapshot[]
}
