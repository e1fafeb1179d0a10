import type { CallBatch } from '../../../domain/activity/callBatch.ts'
import type { Swap } from '../../../domain/swap/swap.ts'
import type { Hex } from '../../../domain/token/token.ts'
import { WalletError } from '../../../errors.ts'
import type { ProviderEvent } from '../../../protocol.ts'
import type { TransactionQueue } from '../../transactions/queue.ts'
import type { CallId } from '../methods/callIds.ts'
import { getHashes, notSentReason, requireKnown, type SwapStatus, swapStatus } from './status.ts'

export type SwapFollowDeps = {
  swaps: Pick<TransactionQueue, 'until'>
  /** Resolves to null if unknown. */
  receipt(chainId: number, hash: Hex): Promise<unknown>
  tell(documentId: string, event: ProviderEvent): void
  wait?(ms: number): Promise<void>
}

/** Sends status events to the document, and returns the receipt. */
export async function waitForSwap(
  { swaps, tell, receipt, wait = pause }: SwapFollowDeps,
  documentId: string,
  { id, chainId }: CallId,
  intentId: string,
): Promise<unknown> {
  let told: string | undefined
  for (;;) {
    const swap = await swaps.until(intentId, (one) => getWord(id, one).text !== told)
    requireKnown(id, swap)
    const { text, data } = getWord(id, swap)
    told = text
    tell(documentId, { event: 'message', data: { type: 'wallet_swapStatus', data } })
    if (data.status === 100) continue
    const { hash } = data
    if (data.status === 400 || hash === undefined) throw notSentReason(id, swap)
    return {
      receipt: await readReceipt(() => receipt(chainId, hash), wait),
      id,
      chainId: `0x${chainId.toString(16)}`,
      transactions: getHashes(swap),
      ...(swap.outcome.status === 'below-minimum' && { belowMinimum: true }),
    }
  }
}

function getWord(id: string, swap: Swap | CallBatch) {
  const hash = getHashes(swap).at(-1)
  const data: { id: string; status: SwapStatus; hash?: Hex } = {
    id,
    status: swapStatus(swap),
    ...(hash !== undefined && { hash }),
  }
  return { data, text: `${data.status} ${hash}` }
}

const receiptEveryMs = 500
const maxReceiptAsks = 40

/** RPCs may lag behind the one that reported the block. */
async function readReceipt(
  read: () => Promise<unknown>,
  wait: (ms: number) => Promise<void>,
): Promise<unknown> {
  for (let asks = 1; ; asks++) {
    const last = asks === maxReceiptAsks
    const found = await read().catch((error) => {
      if (last) throw error
      return undefined
    })
    if (found !== undefined && found !== null) return found
    if (last) throw new WalletError('node-timeout', 'The swap is mined, but the node has no receipt for it.')
    await wait(receiptEveryMs)
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
