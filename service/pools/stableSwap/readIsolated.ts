import type { Hex } from 'viem'
import type { BlockRef, Call, Chain } from '../../indexer/chain.ts'
import { isBlockMissing, isNetworkError, isRateLimit } from '../../indexer/node.ts'

/** Calls per request; views of pools use much more gas than plain reads. */
const maxCalls = 300

/**
 * Reads lists of calls that may fail; all answers of a list are 0x if it fails a request even alone. Tokens
 * and oracles of anyone's pools can burn all gas, which must not fail the others. Throws when the RPC does
 * not answer.
 */
export async function readIsolated(
  chain: Chain,
  block: BlockRef,
  lists: readonly (readonly Call[])[],
): Promise<Hex[][]> {
  if (lists.length === 0) return []
  const count = lists.reduce((sum, list) => sum + list.length, 0)
  if (count > maxCalls && lists.length > 1) return inHalves(chain, block, lists)
  try {
    const calls = lists.map((list) => list.map((call) => ({ ...call, mayFail: true })))
    return await chain.read(calls, block)
  } catch (error) {
    if (isNetworkError(error) || isBlockMissing(error) || isRateLimit(error)) throw error
    return lists.length === 1 ? lists.map((list) => list.map(() => '0x')) : inHalves(chain, block, lists)
  }
}

async function inHalves(
  chain: Chain,
  block: BlockRef,
  lists: readonly (readonly Call[])[],
): Promise<Hex[][]> {
  const middle = lists.length >> 1
  const first = await readIsolated(chain, block, lists.slice(0, middle))
  return [...first, ...(await readIsolated(chain, block, lists.slice(middle)))]
}
