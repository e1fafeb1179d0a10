import { describe, expect, it } from 'vitest'
import type { Replacement, ReplaceRequest } from '../../../src/domain/activity/replacement.ts'
import { WalletError } from '../../../src/errors.ts'
import { createReplacing } from '../../../src/state/activity/replacing.ts'
import { systemClock } from '../../../src/state/clock.ts'
import { swap } from '../../helpers/samples/activitySamples.ts'
import { pending, standInWallet } from '../../helpers/state/fakes.ts'

const id = '01'.repeat(16)
const fees = { maxFeePerGas: 9n, maxPriorityFeePerGas: 2n }
const offerOf = (digit: string): Replacement => ({
  replaces: `0x${digit.repeat(64)}`,
  gas: 21_000n,
  expectedGas: 21_000n,
  l1Fee: 0n,
  baseFeePerGas: 1n,
  least: fees,
  speeds: { slow: fees, normal: fees, fast: fees },
})

function create(results: (WalletError | undefined)[] = []) {
  const asks: ReplaceRequest[] = []
  let offers = 0
  const replacing = createReplacing(
    standInWallet({
      replacement: async () => offerOf(String(++offers)),
      async replace(ask) {
        asks.push(ask)
        const error = results.shift()
        if (error) throw error
        return swap()
      },
    }),
    systemClock(),
  )
  return { replacing, asks }
}

describe('replacing a transaction', () => {
  it('prices the replacement and sends it once for two confirmations', async () => {
    const { replacing, asks } = create()
    const asking = replacing.ask(id, 'faster')
    expect(replacing.getState()).toEqual({ at: 'pricing' })
    await asking
    expect(replacing.getState()).toEqual({ at: 'priced', offer: offerOf('1') })
    await Promise.all([replacing.confirm(fees), replacing.confirm(fees)])
    expect(replacing.getState()).toEqual({ at: 'sent' })
    expect(asks).toEqual([{ id, wish: 'faster', replaces: offerOf('1').replaces, fees, feeCap: 189_000n }])
  })

  it('prices the replacement again when it is underpriced, and reports the error', async () => {
    const error = new WalletError('underpriced', 'Another pays nearly as much.')
    const { replacing } = create([error])
    await replacing.ask(id, 'cancel')
    await replacing.confirm(fees)
    expect(replacing.getState()).toEqual({ at: 'priced', offer: offerOf('2'), error })
    await replacing.confirm(fees)
    expect(replacing.getState()).toEqual({ at: 'sent' })
  })

  it('prices the replacement again when it costs more than was shown, and reports the error', async () => {
    const error = new WalletError('stale-review', 'It costs more.')
    const { replacing } = create([error])
    await replacing.ask(id, 'cancel')
    await replacing.confirm(fees)
    expect(replacing.getState()).toEqual({ at: 'priced', offer: offerOf('2'), error })
  })

  it('fails when the transaction is already mined', async () => {
    const error = new WalletError('already-mined', 'It is mined.')
    const { replacing } = create([error])
    await replacing.ask(id, 'cancel')
    await replacing.confirm(fees)
    expect(replacing.getState()).toEqual({ at: 'failed', error })
  })

  it('keeps the priced replacement when the account cannot pay for it', async () => {
    const error = new WalletError('not-enough-gas', 'Too dear.')
    const { replacing } = create([error])
    await replacing.ask(id, 'faster')
    await replacing.confirm(fees)
    expect(replacing.getState()).toEqual({ at: 'priced', offer: offerOf('1'), error })
  })

  it('resends the same request after the worker stopped', async () => {
    const { replacing, asks } = create([new WalletError('worker-stopped', 'It stopped.')])
    await replacing.ask(id, 'faster')
    await replacing.confirm(fees)
    expect(replacing.getState()).toEqual({ at: 'sent' })
    expect(asks[1]).toEqual(asks[0])
  })

  it('ignores the result of a replacement that is no longer open', async () => {
    const answer = pending<Replacement>()
    const replacing = createReplacing(
      standInWallet({
        replacement: (_id, wish) => (wish === 'faster' ? answer.promise : Promise.resolve(offerOf('2'))),
      }),
      systemClock(),
    )
    const first = replacing.ask(id, 'faster')
    await replacing.ask(id, 'cancel')
    answer.resolve(offerOf('1'))
    await first
    expect(replacing.getState()).toEqual({ at: 'priced', offer: offerOf('2') })
    replacing.leave()
    expect(replacing.getState()).toEqual({ at: 'idle' })
    await replacing.confirm(fees)
    expect(replacing.getState()).toEqual({ at: 'idle' })
  })
})
