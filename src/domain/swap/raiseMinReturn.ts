import { concatHex, numberToHex, size, slice } from 'viem'
import type { SwapTransaction } from './quote.ts'

/** Selector, executor and five words of the description come first (`verifyCalldata.ts`). */
const selector = '0x07ed2379'
const start = 4 + 32 * 6

/**
 * Returns the swap with at least `minReturn` in its calldata, enforced by the router. Undefined for other
 * entry points.
 */
export function raiseMinReturn(transaction: SwapTransaction, minReturn: bigint): SwapTransaction | undefined {
  const { data } = transaction
  if (!data.startsWith(selector) || size(data) < start + 32) return undefined
  if (BigInt(slice(data, start, start + 32)) >= minReturn) return transaction
  const word = numberToHex(minReturn, { size: 32 })
  return { ...transaction, data: concatHex([slice(data, 0, start), word, slice(data, start + 32)]) }
}
