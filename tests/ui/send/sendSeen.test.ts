import { expect, it } from 'vitest'
import type { TransferPreview } from '../../../src/domain/activity/transfer.ts'
import { seenOf } from '../../../src/ui/send/sendSeen.ts'
import { account, dai, friend } from '../../domain/activity/activitySamples.ts'

const ask = { chainId: 31337, account, token: dai, to: friend, amount: 5n }
const preview: Pick<TransferPreview, 'feeCap' | 'arrives' | 'simulation'> = {
  feeCap: 31_500n * 10n ** 9n,
  arrives: 5n,
  simulation: { status: 'succeeds', changes: [], grants: [] },
}

it('changes with all that a yes goes by: the transfer, the account, the fee, what arrives and what the node saw', () => {
  const seen = [
    seenOf({ ask, preview }, account),
    seenOf({ ask, preview }, friend),
    seenOf({ ask: { ...ask, amount: 6n }, preview }, account),
    seenOf({ ask, preview: { ...preview, feeCap: preview.feeCap * 2n } }, account),
    seenOf({ ask, preview: { ...preview, arrives: 4n } }, account),
    seenOf({ ask, preview: { ...preview, simulation: { status: 'unknown', reason: 'Late.' } } }, account),
  ]
  expect(new Set(seen).size).toBe(seen.length)
})

it('stays the same while only hidden digits of the fee change', () => {
  const next = { ...preview, feeCap: preview.feeCap + 1n }
  expect(seenOf({ ask, preview: next }, account)).toBe(seenOf({ ask, preview }, account))
})
