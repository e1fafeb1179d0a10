import { describe, expect, it } from 'vitest'
import { notSentReason, swapStatus } from '../../../../src/background/dapp/swap/status.ts'
import type { Step } from '../../../../src/domain/swap/swap.ts'
import type { ErrorCode } from '../../../../src/errors.ts'

const waiting: Step[] = [{ kind: 'swap', state: 'waiting' }]

function told(code: ErrorCode, steps = waiting) {
  const { message, facts } = notSentReason('mine', {
    steps,
    outcome: { status: 'failed', code, message: '', facts: {} },
  })
  return { reason: facts.reason, message }
}

describe('status of a swap that was not executed', () => {
  it.each<[ErrorCode, string, string]>([
    ['below-floor', 'belowMinimum', 'it would have paid less than was accepted'],
    ['stale-review', 'belowMinimum', 'it waited too long, or its network fee rose above what was accepted'],
    ['unexpected-change', 'belowMinimum', 'it would have changed more than was accepted'],
    ['estimation-failed', 'belowMinimum', 'it would fail now'],
    ['would-fail', 'belowMinimum', 'it would fail now'],
    ['replaced', 'replaced', 'another transaction took its place'],
    ['dropped', 'replaced', 'the network has forgotten its transaction'],
    ['cancelled', 'replaced', 'the user cancelled its transaction'],
    ['not-enough-gas', 'insufficientFunds', 'the account does not hold enough'],
    ['service-busy', 'serviceUnavailable', 'the wallet could not prepare it'],
  ])('maps %s to its reason and message', (code, reason, sentence) => {
    expect(told(code)).toEqual({ reason, message: `The swap was approved, but not made: ${sentence}.` })
  })

  it('excludes the cancellation from the reported transactions', () => {
    const [approve, cancel] = [`0x${'ab'.repeat(32)}`, `0x${'cd'.repeat(32)}`] as const
    const steps: Step[] = [
      { kind: 'approve', state: 'final', hash: approve },
      { kind: 'swap', state: 'cancelled', hash: cancel },
    ]
    const outcome = { status: 'failed', code: 'cancelled', message: '', facts: {} } as const
    expect(notSentReason('mine', { steps, outcome }).facts.transactions).toBe(approve)
    expect(swapStatus({ steps, outcome })).toBe(400)
  })

  it.each(['swap', 'wrap', 'unwrap'] as const)(
    'reports status 500 for a reverted last step of kind %s, and 400 for a reverted approval',
    (kind) => {
      const outcome = { status: 'failed', code: 'reverted', message: '', facts: {} } as const
      expect(swapStatus({ steps: [{ kind, state: 'reverted' }], outcome })).toBe(500)
      expect(swapStatus({ steps: [{ kind: 'approve', state: 'reverted' }], outcome })).toBe(400)
    },
  )

  it.each<[ErrorCode, Step]>([
    ['reverted', { kind: 'approve', state: 'reverted', hash: `0x${'ab'.repeat(32)}` }],
    ['would-fail', { kind: 'approve', state: 'waiting' }],
  ])('reports allowanceFailed when the approval failed with %s', (code, approve) => {
    expect(told(code, [approve, { kind: 'swap', state: 'waiting' }])).toEqual({
      reason: 'allowanceFailed',
      message: 'The swap was approved, but not made: the token was not approved.',
    })
  })
})
