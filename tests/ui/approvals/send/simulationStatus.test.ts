import { describe, expect, it } from 'vitest'
import type { CallPreview } from '../../../../src/domain/activity/callBatch.ts'
import type { Simulation } from '../../../../src/domain/activity/simulation.ts'
import type { Risk } from '../../../../src/domain/dapp/risks/risk.ts'
import { nativeTokenAddress } from '../../../../src/domain/token/token.ts'
import { type ErrorCode, WalletError } from '../../../../src/errors.ts'
import { newToken } from '../../../../src/evm/erc20.ts'
import type { PreviewState } from '../../../../src/state/approvals/callPreview.ts'
import {
  acknowledgementLabel,
  getRejection,
  reviewedCalls,
  simulationStatus,
} from '../../../../src/ui/approvals/send/simulationStatus.ts'
import { formatAcknowledgement } from '../../../../src/ui/messages/acknowledgements.ts'
import { formatRisk } from '../../../../src/ui/messages/risks.ts'

const said = { label: 'Swap', calls: 2 }
const fine: Simulation = { status: 'succeeds', changes: [], grants: [] }

function ready(simulation: Simulation): Extract<PreviewState, { status: 'ready' }> {
  const preview: CallPreview = { simulation, networkFee: 4n, expectedFee: 2n, feeCap: 5n, risks: [] }
  return { status: 'ready', id: 'one', preview, trouble: undefined }
}

const failed = (code: ErrorCode): PreviewState => ({
  status: 'failed',
  id: 'one',
  error: new WalletError(code, 'No.'),
})

describe('simulationStatus', () => {
  it('sets no fee cap while the first preview is loading', () => {
    const verdict = simulationStatus({ status: 'loading', id: 'one', slow: false }, [], said)
    expect(verdict).toMatchObject({ label: 'Checking…', feeCap: undefined })
  })

  it.each<PreviewState>([{ status: 'loading', id: 'one', slow: true }, failed('node-unreachable')])(
    'allows sending without simulation under a fee cap when the RPC does not answer',
    (state) => {
      expect(simulationStatus(state, [], said)).toEqual({
        label: 'Send without simulation',
        feeCap: 2n * 10n ** 16n,
        isDangerous: true,
        mayFail: true,
      })
    },
  )

  it.each<ErrorCode>(['fee-too-high', 'unsafe-transaction', 'wrong-chain'])(
    'does not allow sending when the wallet itself refuses: %s',
    (code) => {
      const refused = { label: 'Swap', feeCap: undefined, isDangerous: false, mayFail: false }
      expect(simulationStatus(failed(code), [], said)).toEqual(refused)
      const renewed: PreviewState = { ...ready(fine), trouble: new WalletError(code, 'No.') }
      expect(simulationStatus(renewed, [], said)).toEqual(refused)
      expect(getRejection(renewed)?.code).toBe(code)
    },
  )

  it('allows sending up to the shown fee when no risk is grave', () => {
    expect(simulationStatus(ready(fine), [{ isGrave: false }], said)).toEqual({
      label: 'Swap',
      feeCap: 5n,
      isDangerous: false,
      mayFail: false,
    })
  })

  it.each<[Simulation, string]>([
    [{ status: 'unknown', reason: 'no' }, 'Send without simulation'],
    [{ status: 'reverts', reason: 'no' }, 'Send anyway'],
  ])('allows sending at the user’s risk when the simulation is unknown or reverts', (simulation, label) => {
    expect(simulationStatus(ready(simulation), [], said)).toEqual({
      label,
      feeCap: 5n,
      isDangerous: true,
      mayFail: true,
    })
  })

  it('marks the action as dangerous when a risk is grave', () => {
    expect(simulationStatus(ready(fine), [{ isGrave: true }], said)).toMatchObject({ isDangerous: true })
  })
})

describe('acknowledgementLabel', () => {
  const tokenOf = () => newToken(nativeTokenAddress, 'ETH', 'Ether', 18)
  const tick = (...risks: Risk[]) =>
    acknowledgementLabel(risks, (risk) => formatAcknowledgement(risk, tokenOf))
  const unchecked: Risk = { kind: 'unchecked', isGrave: true }
  const fails = (value: bigint): Risk => ({ kind: 'fails', value, isGrave: true })

  it('returns no label without a grave risk', () => {
    expect(tick({ kind: 'unpriced', isGrave: false })).toBeUndefined()
  })

  it.each<[Risk, string]>([
    [unchecked, 'I accept the risk to all my assets.'],
    [fails(5n * 10n ** 18n), 'I accept the risk to 5 ETH and all my other assets.'],
    [fails(1n), 'I accept the risk to 1 wei and all my other assets.'],
    [fails(0n), 'I accept the risk to all my assets.'],
    [{ kind: 'unseen', isGrave: true }, 'I accept the risk to all my assets.'],
    [{ kind: 'call', warning: 'no-floor', isGrave: true }, 'I’ve read this warning and want to continue.'],
    [
      { kind: 'foreign-recipient', recipient: `0x${'bd'.repeat(20)}`, isGrave: true },
      'I want 0xbdbd…bdbd to receive the payout.',
    ],
  ])('acknowledges the only grave risk without repeating its text', (risk, words) => {
    expect(tick(risk, { kind: 'unpriced', isGrave: false })).toBe(words)
    expect(words).not.toBe(formatRisk(risk, tokenOf))
  })

  it('combines several grave risks into one label, and names a network fee by its amount', () => {
    expect(tick(unchecked, fails(1n))).toBe('I’ve read all of these warnings and want to continue.')
    expect(tick({ kind: 'fee', doubt: 'large', fee: 123_456_789n * 10n ** 8n, isGrave: true })).toBe(
      'I accept a network fee of up to 0.013 ETH.',
    )
    expect(tick(unchecked, { kind: 'fee', doubt: 'large', fee: 10n ** 17n, isGrave: true })).toBe(
      'I accept a network fee of up to 0.1 ETH. I’ve read all of these warnings and want to continue.',
    )
  })
})

describe('reviewedCalls', () => {
  it('changes with the simulation and the fee, and stays the same for equal ones', () => {
    const of = (state: PreviewState, fee: string) =>
      reviewedCalls(state, simulationStatus(state, [], said), fee)
    const before = of(ready(fine), '0.1 ETH')
    expect(of(ready({ ...fine }), '0.1 ETH')).toBe(before)
    expect(of(ready(fine), '0.2 ETH')).not.toBe(before)
    expect(of(ready({ status: 'reverts', reason: 'no' }), '0.1 ETH')).not.toBe(before)
  })
})
