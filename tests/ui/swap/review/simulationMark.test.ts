import { describe, expect, it } from 'vitest'
import type { SimulationVerdict } from '../../../../src/domain/activity/simulation.ts'
import { toSimulationMark } from '../../../../src/ui/swap/review/simulation/SimulationResult.tsx'

type Seen = Extract<SimulationVerdict, { status: 'matches' }>['seen']

const matching = (seen: Partial<Seen> = {}): SimulationVerdict => ({
  status: 'matches',
  received: 5n,
  seen: { changes: [], grants: [], ...seen },
})

describe('the mark of a simulation', () => {
  it('says "passed" only near the market price, or without one to compare', () => {
    const passed = { text: 'Simulation passed', isPassed: true }
    expect(toSimulationMark(matching(), 'near')).toEqual(passed)
    expect(toSimulationMark(matching(), undefined)).toEqual(passed)
    expect(toSimulationMark(matching(), 'unknown')).toEqual({ text: 'Simulated', isPassed: false })
  })

  it('does not say "passed" of a simulation that read only the two tokens', () => {
    for (const price of ['near', 'unknown', undefined] as const) {
      expect(toSimulationMark(matching({ isNarrow: true }), price)).toEqual({
        text: 'Simulated for these two tokens only',
        isPassed: false,
      })
    }
  })

  it('is absent where the screen says more', () => {
    expect(toSimulationMark(matching({ isWeak: true, isNarrow: true }), 'near')).toBeUndefined()
    expect(toSimulationMark({ status: 'reverts', reason: '' }, 'near')).toBeUndefined()
  })
})
