import { expect, it } from 'vitest'
import { selectNewest } from '../../../src/domain/activity/activityFilter.ts'
import { account, failed, swap, transfer, unreadable } from '../../helpers/samples/activitySamples.ts'

const damaged = swap({ createdAt: 0, steps: [], outcome: failed('record-damaged') })

it.each([
  ['nobody can read', unreadable],
  ['can be read', damaged],
])('selects intact activities beside damaged records that %s', (_what, one) => {
  const done = swap()
  expect(selectNewest([one, one, one, done, done, done], { account, chainId: 1 })).toEqual([one, done, done])
})

it('selects only the activities of the account on the network', () => {
  expect(selectNewest([transfer, swap()], { account, chainId: 1 })).toEqual([swap()])
})
