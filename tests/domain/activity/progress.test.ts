import { describe, expect, it } from 'vitest'
import { getProgressParts } from '../../../src/domain/activity/progress.ts'
import type { Step, Swap } from '../../../src/domain/swap/swap.ts'
import { swap } from '../../helpers/samples/activitySamples.ts'

const working = { status: 'working' } as const
const parts = (steps: Step[], intent: Partial<Swap['intent']> = {}, outcome: Swap['outcome'] = working) =>
  getProgressParts(swap({ steps, outcome }, intent)).map(({ kind, state }) => `${kind} ${state}`)

describe('getProgressParts', () => {
  it('lists an approval and the swap that waits for it', () => {
    expect(
      parts([
        { kind: 'approve', state: 'sent' },
        { kind: 'swap', state: 'waiting' },
      ]),
    ).toEqual(['approve running', 'swap waiting'])
    expect(
      parts([
        { kind: 'approve', state: 'final' },
        { kind: 'swap', state: 'sent' },
      ]),
    ).toEqual(['approve done', 'swap running'])
  })

  it('counts a signature as a part of its own, which is done once the swap is signed', () => {
    const permission = { via: 'permit' } as const
    expect(parts([{ kind: 'swap', state: 'waiting' }], { permission })).toEqual([
      'sign running',
      'swap waiting',
    ])
    expect(parts([{ kind: 'swap', state: 'signed' }], { permission })).toEqual(['sign done', 'swap running'])
  })

  it('shows the next part as running while it is prepared', () => {
    const steps: Step[] = [
      { kind: 'approve', state: 'mined' },
      { kind: 'swap', state: 'waiting' },
    ]
    expect(parts(steps)).toEqual(['approve done', 'swap running'])
    expect(parts(steps, {}, { status: 'needs-unlock' })).toEqual(['approve done', 'swap waiting'])
  })

  it('marks a reverted part as failed, and is empty before the swap is planned', () => {
    expect(parts([{ kind: 'swap', state: 'reverted' }])).toEqual(['swap failed'])
    expect(parts([])).toEqual([])
  })
})
