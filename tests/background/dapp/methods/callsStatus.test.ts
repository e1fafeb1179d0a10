import { describe, expect, it } from 'vitest'
import { toCallStatus } from '../../../../src/background/dapp/methods/callsStatus.ts'
import type { CallBatch } from '../../../../src/domain/activity/callBatch.ts'
import type { StepState } from '../../../../src/domain/swap/swap.ts'

function lost(states: readonly StepState[], settled?: true): CallBatch {
  const outcome = { status: 'failed', code: 'replaced', message: 'It was replaced.', facts: {} } as const
  const steps = states.map((state) => ({ kind: 'call' as const, state, ...(settled && { settled }) }))
  return { intent: {} as CallBatch['intent'], createdAt: 0, steps, paid: 0n, outcome }
}

describe('toCallStatus', () => {
  it.each([
    ['100 while a later one may still be taken', ['replaced', 'sent'], 100],
    ['100 while a later one may still be sent', ['replaced', 'signed'], 100],
    ['100 while an earlier one that was in a block waits again', ['sent', 'reverted'], 100],
    ['600 when a later one was done all the same', ['replaced', 'final'], 600],
    ['500 when a later one was reverted', ['replaced', 'reverted'], 500],
    ['400 when none was done, nor will be', ['replaced', 'dropped'], 400],
    ['400 when what would have followed is not signed', ['replaced', 'waiting'], 400],
  ] as const)('returns %s', (_what, states, status) => {
    expect(toCallStatus(lost(states, true))).toBe(status)
  })

  it('returns 100 while a reorganisation may free the nonce again', () => {
    expect(toCallStatus(lost(['replaced', 'waiting']))).toBe(100)
  })
})
