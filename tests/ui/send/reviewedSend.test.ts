import { expect, it } from 'vitest'
import type { TransferPreview } from '../../../src/domain/activity/transfer.ts'
import { reviewedSend } from '../../../src/ui/send/SendReview.tsx'
import { account, dai, friend } from '../../helpers/samples/activitySamples.ts'

const ask = { chainId: 31337, account, token: dai, to: friend, amount: 5n }
const preview: Pick<TransferPreview, 'feeCap' | 'arrives' | 'simulation'> = {
  feeCap: 31_500n * 10n ** 9n,
  arrives: 5n,
  simulation: { status: 'succeeds', changes: [], grants: [] },
}

it('changes with the account, transfer, fee cap, received amount or simulation', () => {
  const seen = [
    reviewedSend({ ask, preview }, account),
    reviewedSend({ ask, preview }, friend),
    reviewedSend({ ask: { ...ask, amount: 6n }, preview }, account),
    reviewedSend({ ask, preview: { ...preview, feeCap: preview.feeCap * 2n } }, account),
    reviewedSend({ ask, preview: { ...preview, arrives: 4n } }, account),
    reviewedSend(
      { ask, preview: { ...preview, simulation: { status: 'unknown', reason: 'Late.' } } },
      account,
    ),
  ]
  expect(new Set(seen).size).toBe(seen.length)
})

it('stays the same while only hidden digits of the fee change', () => {
  const next = { ...preview, feeCap: preview.feeCap + 1n }
  expect(reviewedSend({ ask, preview: next }, account)).toBe(reviewedSend({ ask, preview }, account))
})
