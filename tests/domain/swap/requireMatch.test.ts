import { describe, expect, it } from 'vitest'
import type { Companion, Simulation, SimulationVerdict } from '../../../src/domain/activity/simulation.ts'
import { evaluateSimulation, requireMatch } from '../../../src/domain/swap/simulationCheck.ts'
import { WalletError } from '../../../src/errors.ts'
import {
  agreed,
  bought,
  change,
  dai,
  grant,
  sold,
  succeeds,
  thief,
  usdc,
  weth,
} from '../../helpers/samples/simulations.ts'

describe('requireMatch', () => {
  function refusal(
    verdict: SimulationVerdict,
    isBinding = true,
    accepted: Companion[] = [],
  ): WalletError | undefined {
    try {
      requireMatch(verdict, { floor: agreed.floor, isBinding }, accepted)
    } catch (error) {
      if (error instanceof WalletError) return error
      throw error
    }
    return undefined
  }
  const seen = { changes: [], grants: [] }

  it('rejects items that were not accepted by id, token and amount', () => {
    const verdict = evaluateSimulation(succeeds([sold, bought, change(dai, -2n, 7n)]), agreed)
    const item = { token: dai, nft: 7n, amount: 2n }
    expect(refusal(verdict, true, [item])).toBeUndefined()
    expect(refusal(verdict, true, [{ ...item, amount: 3n }])).toBeUndefined()
    for (const accepted of [
      [],
      [{ ...item, amount: 1n }],
      [{ ...item, nft: 8n }],
      [{ ...item, token: weth }],
    ]) {
      expect(refusal(verdict, true, accepted)).toMatchObject({
        code: 'unexpected-change',
        message: expect.stringContaining('2 of item 7'),
        facts: { kind: 'leaves', token: dai },
      })
    }
  })

  it('accepts a match, and an unknown simulation when the calldata is binding', () => {
    expect(refusal({ status: 'matches', received: 500n, seen }, false)).toBeUndefined()
    expect(refusal({ status: 'unknown', reason: 'The node cannot simulate' })).toBeUndefined()
    expect(refusal({ status: 'unknown', reason: 'The node cannot simulate' }, false)).toMatchObject({
      code: 'unsafe-transaction',
      facts: { fact: 'untried', reason: 'The node cannot simulate' },
    })
  })

  it('accepts a simulation of some tokens only when the calldata is binding', () => {
    const narrow: SimulationVerdict = { status: 'matches', received: 500n, seen: { ...seen, isNarrow: true } }
    expect(refusal(narrow)).toBeUndefined()
    expect(refusal(narrow, false)).toMatchObject({
      code: 'unsafe-transaction',
      facts: { fact: 'untried' },
    })
  })

  it('rejects a simulation with too many tokens even when the calldata is binding', () => {
    const reason = 'Too many tokens take part in it'
    for (const isBinding of [true, false]) {
      expect(refusal({ status: 'unknown', reason, isCrowded: true }, isBinding)).toMatchObject({
        code: 'unexpected-change',
        facts: { reason },
      })
    }
  })

  it('reports the minimum and the simulated return when the minimum is not met', () => {
    expect(refusal({ status: 'below-floor', received: 499n, seen })).toMatchObject({
      code: 'below-floor',
      facts: { expected: '500', found: '499' },
    })
  })

  it('reports the outgoing token, and the spender of an unexpected allowance', () => {
    const leaves = evaluateSimulation(succeeds([sold, bought, change(usdc, -7n)]), agreed)
    expect(refusal(leaves)).toMatchObject({
      code: 'unexpected-change',
      facts: { kind: 'leaves', token: usdc, symbol: 'a0b8', amount: '7' },
    })
    const grants = evaluateSimulation(succeeds([sold, bought], [grant(thief, 'all', usdc)]), agreed)
    expect(refusal(grants)).toMatchObject({
      code: 'unexpected-change',
      facts: { kind: 'grants', token: usdc, spender: thief, amount: 'all' },
    })
  })

  it.each(['Too little received', 'Insufficient token', 'Call 2: Insufficient WETH9'])(
    'reports a return of unknown size below the minimum for SwapRouter02’s "%s"',
    (reason) => {
      const simulation: Simulation = { status: 'reverts', reason, facts: {} }
      const verdict = evaluateSimulation(simulation, agreed)
      expect(verdict).toEqual({ status: 'below-floor', seen: { changes: [], grants: [] } })
      expect(refusal(verdict)).toMatchObject({ code: 'below-floor', facts: {} })
    },
  )

  it.each(['Too little received?', 'Too much requested', 'it said: Insufficient token'])(
    'reports "%s" as a failure',
    (reason) => {
      expect(evaluateSimulation({ status: 'reverts', reason }, agreed).status).toBe('reverts')
    },
  )

  it('treats the router’s own minimum error as a return below the minimum', () => {
    const reason = 'ReturnTooLow (returned 480, minimum 500)'
    const facts = { error: 'ReturnTooLow', returned: '480', minimum: '500' }
    const verdict = evaluateSimulation({ status: 'reverts', reason: `Call 2: ${reason}`, facts }, agreed)
    expect(verdict).toEqual({ status: 'below-floor', received: 480n, seen: { changes: [], grants: [] } })
    expect(refusal(verdict)).toMatchObject({
      code: 'below-floor',
      facts: { expected: agreed.floor.toString(), found: '480' },
    })
    const other = { ...facts, error: 'ReturnAmountIsNotEnough' }
    expect(evaluateSimulation({ status: 'reverts', reason, facts: other }, agreed)).toMatchObject({
      received: 480n,
    })
    // Half of the amount returned less than half of minReturn.
    const fill = { error: 'FillTooLow', returned: '200', spent: '500', amount: '1000', minimum: '500' }
    expect(
      evaluateSimulation({ status: 'reverts', reason: 'FillTooLow', facts: fill }, agreed),
    ).toMatchObject({
      status: 'below-floor',
      received: 400n,
    })
    // Any contract can revert with this text.
    const inWords = evaluateSimulation({ status: 'reverts', reason }, agreed)
    expect(refusal(inWords)).toMatchObject({ code: 'would-fail', facts: { reason } })
    expect(refusal({ status: 'reverts', reason: 'paused' })).toMatchObject({
      code: 'would-fail',
      facts: { reason: 'paused' },
    })
  })
})
