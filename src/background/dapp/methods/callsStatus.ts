import { mayComeBack } from '../../../domain/activity/activity.ts'
import type { CallBatch } from '../../../domain/activity/callBatch.ts'
import { isSwap } from '../../../domain/activity/intent.ts'
import type { Swap } from '../../../domain/swap/swap.ts'
import type { Chain } from '../../../evm/client.ts'
import { swapStatus } from '../swap/status.ts'

/** EIP-5792: pending, confirmed, not sent, reverted, partially reverted. */
type CallStatus = 100 | 200 | 400 | 500 | 600

export function toCallStatus(one: Swap | CallBatch): CallStatus {
  if (isSwap(one)) return swapStatus(one)
  const { steps, outcome } = one
  if (outcome.status === 'done' || outcome.status === 'below-minimum') return 200
  // A later call may still be mined.
  const isUnderWay = mayComeBack(one) || steps.some(({ state }) => state === 'signed' || state === 'sent')
  if (outcome.status !== 'failed' || isUnderWay) return 100
  if (steps.some(({ state }) => state === 'mined' || state === 'final')) return 600
  return steps.some(({ state }) => state === 'reverted') ? 500 : 400
}

/** Returns available receipts with the fields of EIP-5792. */
export async function readReceipts(chain: Chain, { steps }: Swap | CallBatch): Promise<unknown[]> {
  const mined = steps.filter(({ state }) => state === 'mined' || state === 'final' || state === 'reverted')
  const found = await Promise.all(
    mined.flatMap(({ hash }) => (hash === undefined ? [] : chain.plainReceipt(hash))),
  )
  return found.flatMap((receipt) => {
    if (receipt === undefined) return []
    const { logs, status, blockHash, blockNumber, gasUsed, transactionHash } = receipt
    return { logs, status, blockHash, blockNumber, gasUsed, transactionHash }
  })
}
