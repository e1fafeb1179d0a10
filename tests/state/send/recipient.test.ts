import { describe, expect, it } from 'vitest'
import { readRecipient } from '../../../src/state/send/recipient.ts'
import { dai, friend, sending, swap, transfer } from '../../helpers/samples/activitySamples.ts'
import { standInWallet } from '../../helpers/state/fakes.ts'

describe('readRecipient', () => {
  it('returns whether the recipient is a contract, and the earlier recipients', async () => {
    const asked: unknown[] = []
    const wallet = standInWallet({
      async isContract(...args) {
        asked.push(args)
        return true
      },
      swaps: async () => [swap({}, { receiver: dai })],
      callBatches: async () => [transfer, sending()],
    })
    expect(await readRecipient(wallet, 10, friend)).toEqual({ isContract: true, earlier: [friend, dai] })
    expect(asked).toEqual([[10, friend]])
  })
})
