import { describe, expect, it } from 'vitest'
import type { CallPreview } from '../../../../src/domain/activity/callBatch.ts'
import type { Simulation } from '../../../../src/domain/activity/simulation.ts'
import type { Address, Token } from '../../../../src/domain/token/token.ts'
import { WalletError } from '../../../../src/errors.ts'
import type { PreviewState } from '../../../../src/state/approvals/callPreview.ts'
import { toLimitEditor } from '../../../../src/ui/approvals/send/limitEditor.ts'

const address: Address = `0x${'aa'.repeat(20)}`
const spender: Address = `0x${'bb'.repeat(20)}`
const approval = { at: 0, token: address, spender, amount: 100_000_000n }
const token: Token = {
  address,
  symbol: 'USDC',
  name: 'USD Coin',
  decimals: 6,
  listed: false,
  eip2612: false,
  taxed: false,
  tags: [],
}

const ready = (simulation: Simulation): PreviewState => {
  const preview: CallPreview = { simulation, networkFee: 1n, expectedFee: 1n, feeCap: 1n, risks: [] }
  return { status: 'ready', id: '1', preview, trouble: undefined }
}
const granting = (amount: bigint, read = token) =>
  ready({ status: 'succeeds', changes: [], grants: [{ token: read, spender, amount }] })
const loading = (slow: boolean): PreviewState => ({ status: 'loading', id: '1', slow })
const failed: PreviewState = { status: 'failed', id: '1', error: new WalletError('node-refused', '') }
const unproven = [
  ready({ status: 'reverts', reason: '' }),
  ready({ status: 'unknown', reason: '' }),
  ready({ status: 'succeeds', changes: [], grants: [] }),
  failed,
]

describe('the editor of a spending limit', () => {
  it('is refused where the wallet would refuse a limit', () => {
    for (const state of [...unproven, loading(true)]) {
      expect(toLimitEditor(approval, undefined, state, undefined)).toMatchObject({ status: 'refused' })
    }
  })

  it('keeps its room until simulated, then takes the decimals of the contract', () => {
    const awaited = toLimitEditor(approval, undefined, loading(false), undefined)
    expect(awaited).toEqual({ status: 'awaited', token: undefined, isUnproven: false })
    const simulated = toLimitEditor(approval, undefined, granting(100_000_000n), undefined)
    expect(simulated).toEqual({ status: 'open', token, isUnproven: false })
  })

  it('keeps a choice on screen, unproven until the chosen limit is simulated', () => {
    for (const state of [...unproven, loading(false), loading(true), granting(100_000_000n)]) {
      expect(toLimitEditor(approval, 7n, state, token)).toEqual({ status: 'open', token, isUnproven: true })
    }
    expect(toLimitEditor(approval, 7n, granting(7n), token)).toMatchObject({ token, isUnproven: false })
  })

  it('never sends a limit typed with other decimals than the contract’s', () => {
    const listed = { ...token, decimals: 18 }
    expect(toLimitEditor(approval, 7n, granting(7n), listed)).toMatchObject({
      token: listed,
      isUnproven: true,
    })
    expect(toLimitEditor(approval, undefined, granting(100_000_000n), listed).token).toBe(token)
  })

  it('stays while the requested amount is simulated again', () => {
    for (const slow of [false, true]) {
      expect(toLimitEditor(approval, undefined, loading(slow), token)).toMatchObject({
        status: 'open',
        token,
      })
    }
    expect(toLimitEditor(approval, undefined, failed, token)).toMatchObject({ status: 'refused' })
  })
})
