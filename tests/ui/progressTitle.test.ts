import { describe, expect, it } from 'vitest'
import type { StepKind, Swap } from '../../src/domain/swap.ts'
import { progressTitle } from '../../src/ui/progressTitle.ts'
import { tradeOfAmount } from '../state/standIns.ts'

const account = `0x${'1'.repeat(40)}` as const
const intent = {
  id: 'a',
  account,
  trade: tradeOfAmount(1n),
  slippageBps: 50,
  floor: 1n,
  router: account,
  feeCap: 1n,
}
const failed: Swap['outcome'] = { status: 'failed', code: 'reverted', message: 'No.', facts: {} }

const swapOf = (kind: StepKind, outcome: Swap['outcome']): Swap => ({
  intent,
  createdAt: 1,
  steps: [{ kind, state: 'sent' }],
  paid: 0n,
  outcome,
})

describe('the title', () => {
  it.each<[StepKind, string, string]>([
    ['swap', 'Swapping…', 'Not swapped'],
    ['wrap', 'Wrapping…', 'Not wrapped'],
    ['unwrap', 'Unwrapping…', 'Not unwrapped'],
  ])('of a %s is its own', (kind, working, over) => {
    expect(progressTitle(swapOf(kind, { status: 'working' }))).toBe(working)
    expect(progressTitle(swapOf(kind, failed))).toBe(over)
    expect(progressTitle(swapOf(kind, { status: 'done', received: 1n }))).toBe('Done')
    expect(progressTitle(swapOf(kind, { status: 'needs-unlock' }))).toBe('Waiting for you')
  })
})
