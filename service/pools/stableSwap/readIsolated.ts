import type { Hex } from 'viem'
import type { BlockRef, Call, Chain } from '../../indexer/chain.ts'

/** Reads by `Chain.readIsolated`: tokens and oracles of anyone's pools can burn all gas. */
export function readIsolated(
  chain: Chain,
  block: BlockRef,
  lists: readonly (readonly Call[])[],
): Promise<Hex[][]> {
  return chain.readIsolated(lists, block)
}
