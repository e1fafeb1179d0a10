import { describe, expect, it } from 'vitest'
import {
  type Activity,
  activityAddresses,
  activityAmounts,
  activityKind,
  activityState,
  isCancelling,
  maxFee,
  transactionHashes,
  waitingStep,
} from '../../../src/domain/activity/activity.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import {
  dai,
  failed,
  friend,
  hash,
  revocation,
  sending,
  swap,
  transfer,
  usdc,
} from '../../helpers/samples/activitySamples.ts'

describe('activities', () => {
  it('derives the kind of an activity from its purpose and steps', () => {
    const wrap = swap({ steps: [{ kind: 'unwrap', state: 'sent' }] })
    expect([swap(), wrap, transfer, revocation, sending()].map(activityKind)).toEqual([
      'swap',
      'wrap',
      'send',
      'revoke',
      'call',
    ])
  })

  it('maps each outcome to a state of the activity', () => {
    const outcomes: Activity['outcome'][] = [
      { status: 'working' },
      { status: 'needs-unlock' },
      { status: 'done', received: 0n },
      { status: 'below-minimum', received: 0n },
      failed('reverted'),
      failed('cancelled'),
    ]
    expect(outcomes.map((outcome) => activityState(sending({ outcome })))).toEqual([
      'waiting',
      'waiting',
      'done',
      'below-minimum',
      'failed',
      'cancelled',
    ])
  })

  it('reports the moved amounts, and the intended ones while the activity is pending', () => {
    const amount = 1_500_000_000_000_000_000n
    expect(activityAmounts(swap())).toEqual({
      out: { token: dai, amount },
      in: { token: usdc, amount: 1_499_999n },
    })
    expect(activityAmounts(swap({ outcome: { status: 'done', received: 5n, spent: 4n } }))).toEqual({
      out: { token: dai, amount: 4n },
      in: { token: usdc, amount: 5n },
    })
    expect(activityAmounts(swap({ outcome: { status: 'below-minimum', received: 0n } }))).toEqual({
      out: { token: dai, amount },
      in: { token: usdc, amount: 0n },
    })
    expect(activityAmounts(swap({ outcome: { status: 'working' } }))).toEqual({
      out: { token: dai, amount },
      in: { token: usdc, amount: 1_490_000n },
    })
    expect(activityAmounts(transfer)).toEqual({ out: { token: usdc, amount: 12_345_678n } })
    expect(activityAmounts(revocation)).toEqual({})
    expect(activityAmounts(sending())).toEqual({ out: { token: nativeTokenAddress, amount: 5n } })
    expect(activityAmounts(sending({}, { calls: [{ to: friend, data: '0x12', value: 0n }] }))).toEqual({})
  })

  it('lists the counterparty addresses', () => {
    expect(
      [swap(), swap({}, { receiver: friend }), transfer, revocation, sending()].map(activityAddresses),
    ).toEqual([[], [friend], [friend], [friend], [friend]])
  })

  it('lists the hash of every signed transaction, including replacements', () => {
    const rivals = [{ hash: hash('1') }, { hash: hash('2'), cancels: true as const }]
    const steps: Activity['steps'] = [
      { kind: 'approve', state: 'final', hash: hash('3') },
      { kind: 'swap', state: 'sent', hash: hash('1'), rivals },
      { kind: 'swap', state: 'waiting' },
    ]
    expect(transactionHashes(swap({ steps }))).toEqual([hash('3'), hash('1'), hash('2')])
  })
})

describe('maxFee', () => {
  const steps = [
    { kind: 'approve', state: 'mined', fee: 2n },
    { kind: 'swap', state: 'sent', fee: 5n },
  ] as const
  const signed = swap({ outcome: { status: 'working' }, steps: [...steps] })

  it('sums the signed fees once every step is signed', () => {
    expect(maxFee(signed)).toBe(7n)
  })

  it('returns the accepted fee cap while a step remains unsigned', () => {
    const [first] = steps
    expect(maxFee({ ...signed, steps: [first, { kind: 'swap', state: 'waiting' }] })).toBe(9n)
  })
})

describe('pending steps', () => {
  const step = (state: 'waiting' | 'signed' | 'sent' | 'mined' | 'final' | 'replaced') =>
    ({ kind: 'swap', state }) as const
  const working = (...steps: ReturnType<typeof step>[]) => swap({ outcome: { status: 'working' }, steps })

  it('returns the last signed step while it is not in a block', () => {
    expect(waitingStep(working(step('sent')))).toEqual(step('sent'))
    expect(waitingStep(working(step('final'), step('signed'), step('waiting')))).toEqual(step('signed'))
    expect(waitingStep(working(step('mined')))).toBeUndefined()
    expect(waitingStep(working(step('waiting')))).toBeUndefined()
    // Also after a reported failure.
    const lost = { status: 'failed', code: 'replaced', message: '', facts: {} } as const
    expect(waitingStep(swap({ steps: [step('replaced'), step('sent')], outcome: lost }))).toEqual(
      step('sent'),
    )
  })

  it('reports cancelling only when the latest replacement is a cancellation', () => {
    const [one, other] = [{ hash: hash('1') }, { hash: hash('2'), cancels: true } as const]
    expect(isCancelling({ ...step('sent'), rivals: [one, other] })).toBe(true)
    expect(isCancelling({ ...step('sent'), rivals: [one, other, { hash: hash('3') }] })).toBe(false)
    expect(isCancelling(step('sent'))).toBe(false)
  })
})
