import { describe, expect, it } from 'vitest'
import type { Preview, Simulation } from '../../../../src/domain/activity/calls.ts'
import { WalletError } from '../../../../src/errors.ts'
import type { PreviewState } from '../../../../src/state/swap/preview.ts'
import { contentOf, verdictOf } from '../../../../src/ui/parts/requests/sendVerdict.ts'

const said = { label: 'Swap', calls: 2 }
const fine: Simulation = { status: 'succeeds', changes: [], grants: [] }

function ready(simulation: Simulation): PreviewState {
  const preview: Preview = { simulation, networkFee: 4n, feeCap: 5n, risks: [] }
  return { status: 'ready', id: 'one', preview, trouble: undefined }
}

describe('whether calls may be sent', () => {
  it('has to wait for the node at first', () => {
    const verdict = verdictOf({ status: 'loading', id: 'one', slow: false }, [], said)
    expect(verdict).toMatchObject({ label: 'Checking…', feeCap: undefined })
  })

  it.each<PreviewState>([
    { status: 'loading', id: 'one', slow: true },
    { status: 'failed', id: 'one', error: new WalletError('node-unreachable', 'No answer.') },
  ])('is left to the user when the node says nothing, with a fee that is capped all the same', (state) => {
    expect(verdictOf(state, [], said)).toEqual({
      label: 'Send unchecked',
      feeCap: 2n * 10n ** 16n,
      isDangerous: true,
      tick: 'The wallet could not check this. It may take anything of yours.',
      mayFail: true,
    })
  })

  it('is what was asked when nothing speaks against it, up to the fee that was shown', () => {
    expect(verdictOf(ready(fine), [{ words: 'x', isGrave: false }], said)).toEqual({
      label: 'Swap',
      feeCap: 5n,
      isDangerous: false,
      tick: undefined,
      mayFail: false,
    })
  })

  it('is left to the user as well when the node answers that it cannot tell', () => {
    expect(verdictOf(ready({ status: 'unknown', reason: 'no' }), [], said)).toEqual({
      label: 'Send unchecked',
      feeCap: 5n,
      isDangerous: true,
      tick: 'The wallet could not check this. It may take anything of yours.',
      mayFail: true,
    })
  })

  it.each<[string | undefined, string]>([
    ['5 ETH', 'If it does not, it takes up to 5 ETH and may take anything of yours.'],
    [undefined, 'If it does not, it may take anything of yours.'],
  ])('is dangerous when it would fail, and names what is at stake: %s', (value, stake) => {
    const verdict = verdictOf(ready({ status: 'reverts', reason: 'no' }), [], { ...said, value })
    expect(verdict).toMatchObject({
      label: 'Send anyway',
      feeCap: 5n,
      isDangerous: true,
      tick: `This is expected to fail. ${stake}`,
      mayFail: true,
    })
  })

  it.each<Simulation>([
    { status: 'unknown', reason: 'no' },
    { status: 'reverts', reason: 'no' },
  ])('takes no tick when only the native token moves, to accounts without code', (simulation) => {
    const preview: Preview = { simulation, networkFee: 4n, feeCap: 5n, isPlain: true, risks: [] }
    const verdict = verdictOf({ status: 'ready', id: 'one', preview, trouble: undefined }, [], said)
    expect(verdict).toMatchObject({ isDangerous: true, tick: undefined, mayFail: true })
  })

  it('takes a tick when a doubt is grave', () => {
    const verdict = verdictOf(ready(fine), [{ words: 'x', isGrave: true }], said)
    expect(verdict).toMatchObject({ isDangerous: true, tick: 'x' })
  })
})

describe('what the click is for', () => {
  it('changes with what happens and with the fee, and with nothing else', () => {
    const of = (state: PreviewState, fee: string) => contentOf(state, verdictOf(state, [], said), fee)
    const before = of(ready(fine), '0.1 ETH')
    expect(of(ready({ ...fine }), '0.1 ETH')).toBe(before)
    expect(of(ready(fine), '0.2 ETH')).not.toBe(before)
    expect(of(ready({ status: 'reverts', reason: 'no' }), '0.1 ETH')).not.toBe(before)
  })
})
