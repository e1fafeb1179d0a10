import { describe, expect, it } from 'vitest'
import { summarizeSwaps } from '../../../src/domain/activity/swapHistory.ts'
import type { ReviewedAmounts } from '../../../src/domain/swap/swap.ts'
import { failed, swap, unreadable } from '../../helpers/samples/activitySamples.ts'

const shown = (more: Partial<ReviewedAmounts>) => ({
  shown: { returns: 1_500_000n, networkFee: 1n, ...more },
})
const ether = 10n ** 18n
/** 3,000 dollars. */
const native = { usd: 3_000n * 10n ** 8n, per: ether }

describe('summarizeSwaps', () => {
  it('counts swaps and kept promises, without wraps, failures and damaged records', () => {
    const all = [
      swap(),
      swap({ outcome: { status: 'below-minimum', received: 1n } }),
      swap({ outcome: { status: 'done', received: 1_490_000n, isLeast: true } }),
      swap({ outcome: failed('reverted') }),
      swap({ outcome: { status: 'working' } }),
      swap({ steps: [{ kind: 'wrap', state: 'final' }] }),
      unreadable,
    ]
    expect(summarizeSwaps(all)).toMatchObject({ done: 3, judged: 2, kept: 1 })
  })

  it('adds the fees at their prices, failed swaps included, and tells how many have no price', () => {
    const all = [
      swap({ paid: ether / 1_000n }, shown({ prices: { native } })),
      swap({ paid: ether / 1_000n, outcome: failed('reverted') }, shown({ prices: { native } })),
      swap({ paid: ether }),
      swap({ paid: 0n, outcome: { status: 'working' } }),
    ]
    expect(summarizeSwaps(all).fees).toEqual({ usd: 6n * 10n ** 8n, priced: 2, charged: 3 })
  })

  it('averages the difference to the market at the review, scaled to the sold part', () => {
    const { amount } = swap().intent.trade
    const all = [
      swap({ outcome: { status: 'done', received: 1_515_000n } }, shown({ market: 1_500_000n })),
      swap(
        { outcome: { status: 'done', received: 735_000n, spent: amount / 2n } },
        shown({ market: 1_500_000n }),
      ),
      swap(),
    ]
    expect(summarizeSwaps(all).market).toEqual({ bps: -50, count: 2 })
    expect(summarizeSwaps([swap()]).market).toBeUndefined()
  })

  it('is empty without swaps', () => {
    expect(summarizeSwaps([])).toEqual({
      done: 0,
      judged: 0,
      kept: 0,
      fees: { usd: 0n, priced: 0, charged: 0 },
    })
  })
})
