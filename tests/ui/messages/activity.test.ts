import { describe, expect, it } from 'vitest'
import type { Step } from '../../../src/domain/swap/swap.ts'
import {
  activityTitle,
  amountLabels,
  dayTitle,
  isForOther,
  statusLabel,
  statusText,
} from '../../../src/ui/messages/activity.ts'
import {
  type dai,
  failed,
  hash,
  incoming,
  nameOf,
  revocation,
  sending,
  swap,
  transfer,
} from '../../helpers/samples/activitySamples.ts'

const symbolOf = (token: typeof dai) => nameOf(1, token)?.symbol ?? '?'

describe('activityTitle', () => {
  it.each([
    ['a swap', swap(), 'Swapped DAI → USDC'],
    ['a pending swap', swap({ outcome: { status: 'working' } }), 'Swap DAI → USDC'],
    ['a transfer', transfer, 'Sent USDC'],
    ['an incoming transfer', incoming, 'Received USDC'],
    ['a permission taken back', revocation, 'Revoked DAI approval'],
    ['what a site asked for', sending({}, { origin: 'https://shop.example' }), 'Request from shop.example'],
    ['what nobody named', sending(), 'Transaction'],
  ])('returns the title for %s', (_what, one, title) => {
    expect(activityTitle(one, symbolOf)).toBe(title)
  })
})

describe('amountLabels', () => {
  const receiver = `0x${'5'.repeat(40)}` as const
  const foreign = swap()
  const forOther = { ...foreign, intent: { ...foreign.intent, receiver } }

  it.each([
    ['of what is done', swap(), 'Sent', 'Received'],
    ['of what is done for somebody else', forOther, 'Sent', 'Recipient received'],
    [
      'of what paid too little',
      swap({ outcome: { status: 'below-minimum', received: 0n } }),
      'Sent',
      'Received',
    ],
    [
      'of what brought an unknown amount',
      swap({ outcome: { status: 'done', received: 5n, isLeast: true } }),
      'Sent',
      'Minimum (actual amount unknown)',
    ],
    ['of what is under way', swap({ outcome: { status: 'working' } }), 'You sell', 'You receive (min)'],
    ['of what reverted', swap({ outcome: failed('reverted') }), 'Not sent', 'Not received (min)'],
    // A dropped transaction may still confirm.
    ['of what nobody sees', swap({ outcome: failed('dropped') }), 'You sell', 'You receive (min)'],
    [
      'of what may come back',
      swap({ outcome: failed('replaced'), steps: [{ kind: 'swap', state: 'replaced' }] }),
      'You sell',
      'You receive (min)',
    ],
  ])('labels both amounts %s', (_what, one, out, into) => {
    expect(amountLabels(one)).toEqual({ out, in: into })
  })

  it('isForOther is true only for a swap to another account', () => {
    const own = { ...foreign, intent: { ...foreign.intent, receiver: foreign.intent.account } }
    expect([foreign, own, forOther, transfer].map(isForOther)).toEqual([false, false, true, false])
  })
})

describe('incomplete swap outcomes', () => {
  it('labels a swap below the minimum and one with an unknown amount as such', () => {
    const short = swap({ outcome: { status: 'below-minimum', received: 0n } })
    const unread = swap({ outcome: { status: 'done', received: 5n, isLeast: true } })
    expect([short, unread].map(statusLabel)).toEqual(['Below minimum', 'Confirmed, amount received unknown'])
    expect(statusText(unread)).toBe('The amount received couldn’t be read. Check your balance.')
  })
})

describe('activity status', () => {
  const step: Step = { kind: 'swap', state: 'sent', hash: hash('1'), nonce: 3, fee: 21n }
  const working = (changes: Partial<Step>) =>
    swap({ outcome: { status: 'working' }, steps: [{ ...step, ...changes }] })
  const rivals = [{ hash: hash('1') }, { hash: hash('2') }]

  it.each([
    ['waits', working({}), 'Waiting for network confirmation'],
    ['is being sent', working({ state: 'signed' }), 'Sending to the network…'],
    ['was sped up', working({ rivals }), 'Resent with a higher fee. Only one of them can go through.'],
    [
      'is being cancelled',
      working({ rivals: [...rivals, { hash: hash('3'), cancels: true }] }),
      'Cancellation sent. Whichever transaction confirms first counts.',
    ],
    [
      'fell out of the chain',
      working({ block: 7n }),
      'The network dropped the block it was in. Waiting for it to be included again.',
    ],
    ['is not begun', swap({ outcome: { status: 'working' }, steps: [] }), 'Preparing the next step…'],
    [
      'waits for another',
      swap({ outcome: { status: 'working', waitsForTurn: true }, steps: [] }),
      'Queued behind an earlier swap of this token',
    ],
    [
      'needs its user',
      swap({ outcome: { status: 'needs-unlock' } }),
      'Unlock the wallet to sign the next step.',
    ],
    ['is young', swap({ steps: [{ ...step, state: 'mined' }] }), undefined],
    ['is final', swap(), undefined],
    [
      'is deep in one node’s chain alone',
      swap({ steps: [{ ...step, state: 'mined', isDoubted: true }] }),
      'Only one of your two RPCs reports this so far. Check both in the network settings.',
    ],
    [
      'waits for its user, though one node alone tells the step before',
      swap({
        outcome: { status: 'needs-unlock' },
        steps: [
          { ...step, state: 'mined', isDoubted: true },
          { kind: 'swap', state: 'waiting' },
        ],
      }),
      'Unlock the wallet to sign the next step.',
    ],
    [
      'is final itself, though one node alone tells the step before',
      swap({
        steps: [
          { ...step, state: 'mined', isDoubted: true },
          { ...step, state: 'mined' },
        ],
      }),
      undefined,
    ],
    [
      'was given up, though one node alone tells the step before',
      swap({
        outcome: failed('dropped'),
        steps: [
          { ...step, state: 'mined', isDoubted: true },
          { ...step, state: 'dropped' },
        ],
      }),
      undefined,
    ],
    [
      'failed by the word of one node alone',
      swap({ outcome: failed('reverted'), steps: [{ ...step, state: 'reverted', isDoubted: true }] }),
      'Only one of your two RPCs reports this so far. Check both in the network settings.',
    ],
    ['failed', swap({ outcome: failed('reverted') }), undefined],
    [
      'another one took the place of, in a block that may be taken back',
      swap({ outcome: failed('replaced'), steps: [{ ...step, state: 'replaced' }] }),
      'It may still go through. Check again in 10 minutes.',
    ],
    [
      'another one took the place of for good',
      swap({ outcome: failed('replaced'), steps: [{ ...step, state: 'replaced', settled: true }] }),
      undefined,
    ],
    [
      'was cancelled',
      swap({ outcome: failed('cancelled'), steps: [{ ...step, state: 'cancelled' }] }),
      'You cancelled this before it went through.',
    ],
    [
      'was cancelled half-way',
      swap({ outcome: failed('cancelled'), steps: [{ ...step, state: 'final' }, step] }),
      'You cancelled the rest. Steps already confirmed still apply.',
    ],
  ])('describes an entry that %s', (_what, one, story) => {
    expect(statusText(one)).toBe(story)
  })

  it('returns the short status label for the list', () => {
    const all = [swap(), incoming, working({}), swap({ outcome: { status: 'needs-unlock' } })]
    expect(all.map(statusLabel)).toEqual(['Confirmed', 'Confirmed', 'Pending', 'Action required'])
    expect(
      [failed('reverted'), failed('cancelled')].map((outcome) => statusLabel(swap({ outcome }))),
    ).toEqual(['Failed', 'Cancelled'])
  })

  it('labels a dropped swap as dropped, not as failed', () => {
    expect(statusLabel(swap({ outcome: failed('dropped') }))).toBe('Dropped')
  })
})

describe('dayTitle', () => {
  // Already March 2 in Berlin, still March 1 in Lisbon.
  const now = Date.UTC(2026, 2, 1, 23, 30)

  it('returns “Today” or “Yesterday” in the user’s time zone', () => {
    expect(dayTitle('2026-03-02', now, 'Europe/Berlin', 'en')).toBe('Today')
    expect(dayTitle('2026-03-02', now + 86_400_000, 'Europe/Berlin', 'en')).toBe('Yesterday')
    expect(dayTitle('2026-03-01', now, 'Europe/Lisbon', 'en')).toBe('Today')
    expect(dayTitle('2026-02-28', now, 'Europe/Lisbon', 'en')).toBe('Yesterday')
  })

  it('returns a date for earlier days, with the year if it is another one', () => {
    expect(dayTitle('2026-02-27', now, 'Europe/Berlin', 'en')).toBe('Friday, February 27')
    expect(dayTitle('2025-12-31', now, 'Europe/Berlin', 'de')).toBe('Mittwoch, 31. Dezember 2025')
  })

  it('returns “Unknown date” for an empty day', () => {
    expect(dayTitle('', now, 'Europe/Berlin', 'en')).toBe('Unknown date')
  })

  it('returns “Yesterday” on the day of a clock change', () => {
    expect(dayTitle('2026-03-28', Date.UTC(2026, 2, 29, 12), 'Europe/Berlin', 'en')).toBe('Yesterday')
  })
})
