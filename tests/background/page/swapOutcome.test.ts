import { describe, expect, it } from 'vitest'
import { whyNotSent } from '../../../src/background/page/swapOutcome.ts'
import type { Step } from '../../../src/domain/swap.ts'
import type { ErrorCode } from '../../../src/errors.ts'

const waiting: Step[] = [{ kind: 'swap', state: 'waiting' }]

function told(code: ErrorCode, steps = waiting) {
  const { message, facts } = whyNotSent('mine', {
    steps,
    outcome: { status: 'failed', code, message: '', facts: {} },
  })
  return { reason: facts.reason, message }
}

describe('what a page is told of a swap that was not made', () => {
  it.each<[ErrorCode, string, string]>([
    ['below-floor', 'belowMinimum', 'it would have paid less than was accepted'],
    ['stale-review', 'belowMinimum', 'it waited too long, or its network fee rose above what was accepted'],
    ['estimation-failed', 'belowMinimum', 'it would fail now'],
    ['replaced', 'replaced', 'another transaction took its place'],
    ['dropped', 'replaced', 'the network has forgotten its transaction'],
    ['not-enough-gas', 'insufficientFunds', 'the account does not hold enough'],
    ['service-busy', 'serviceUnavailable', 'the wallet could not prepare it'],
  ])('is true: %s', (code, reason, sentence) => {
    expect(told(code)).toEqual({ reason, message: `The swap was approved, but not made: ${sentence}.` })
  })

  it('is the approval where that failed', () => {
    const steps: Step[] = [
      { kind: 'approve', state: 'reverted', hash: `0x${'ab'.repeat(32)}` },
      { kind: 'swap', state: 'waiting' },
    ]
    expect(told('reverted', steps)).toEqual({
      reason: 'allowanceFailed',
      message: 'The swap was approved, but not made: the token was not approved.',
    })
  })
})
