import type { Hex } from 'viem'
import type { BlockRef, Chain } from '../../indexer/chain.ts'
import type { IsolatedCall } from '../../indexer/isolatedReads.ts'

/**
 * Reads by `Chain.readIsolated` what is asked once, as when pools are listed: tokens and oracles of anyone's
 * pools can burn all gas. States, which are read again and again, must name their pools there.
 */
export function readIsolated(
  chain: Chain,
  block: BlockRef,
  lists: readonly (readonly IsolatedCall[])[],
): Promise<Hex[][]> {
  return chain.readIsolated(lists, block)
}
