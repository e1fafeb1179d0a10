import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { errorResponses } from '../../../../service/api/errorResponses.ts'
import { type ErrorCode, WalletError } from '../../../../src/errors.ts'
import { formatError, formatErrorSentence } from '../../../../src/ui/messages/errors/errors.ts'
import { inputErrorSentences } from '../../../../src/ui/messages/errors/inputErrors.ts'

const source = readFileSync(new URL('../../../../src/errors.ts', import.meta.url), 'utf8')
const codes = [...source.matchAll(/^ {2}\| '([a-z-]+)'/gm)].map(([, code]) => code as ErrorCode)
const serviceCodes = Object.keys(errorResponses).filter((code) => code !== 'CANCELLED')
const facts =
  'sender router chain sell buy amount value flags receiver selector encoding token data gas decimals pair'.split(
    ' ',
  )

const everyError = [
  ...codes.map((code) => new WalletError(code, 'Facts.')),
  ...serviceCodes.map((serviceCode) => new WalletError('refused-request', 'Facts.', { serviceCode })),
  ...Object.keys(inputErrorSentences).map((why) => new WalletError('invalid-input', 'Facts.', { why })),
  ...facts.map((fact) => new WalletError('unsafe-transaction', 'Facts.', { fact })),
]

describe('formatError', () => {
  it('returns what happened and what to do next for every wallet and service code', () => {
    expect(codes.length).toBeGreaterThan(45)
    expect(serviceCodes.length).toBeGreaterThanOrEqual(25)
    for (const error of everyError) {
      const { what, next } = formatError(error)
      for (const sentence of [what, next]) expect(sentence).toMatch(/^[A-Z].{5,120}\.$/s)
    }
  })

  it('returns a different sentence for every error', () => {
    const said = everyError.map((error) => formatError(error).what)
    expect(said.filter((one, index) => said.indexOf(one) !== index)).toEqual([])
  })

  it('falls back to the error code when the service code is unknown', () => {
    const usual = formatError(new WalletError('service-busy', 'Facts.')).what
    for (const serviceCode of ['NEW_REASON', 'toString', '__proto__']) {
      expect(formatError(new WalletError('service-busy', 'Facts.', { serviceCode })).what).toBe(usual)
    }
  })

  it('names the mismatched fact of an invalid service response', () => {
    const garbled = new WalletError('service-garbled', 'Facts.', { fact: 'pair' })
    expect(formatError(garbled).what).toBe('The route starts or ends with a different token.')
  })

  it('ignores the mismatched fact of an internal error', () => {
    const other = formatError(new WalletError('internal', 'Facts.', { fact: 'amount' })).what
    expect(other).toBe(formatError(new WalletError('internal', 'Facts.')).what)
  })

  it('formats what happened and what to do next as one line below a field', () => {
    expect(formatErrorSentence(new WalletError('wrong-password', 'Facts.'))).toBe(
      'Incorrect password. Try again.',
    )
    const ofFile = new WalletError('wrong-password', 'Facts.', { why: 'keystore-password' })
    expect(formatErrorSentence(ofFile)).toMatch(/^Incorrect keystore password\. /)
  })

  it('keeps code, message and facts in the details', () => {
    const error = new WalletError('service-failed', 'HTTP 500 from /quote.', { requestId: 'abc-1' })
    expect(formatError(error).details).toBe('service-failed: HTTP 500 from /quote.\nrequestId: abc-1')
  })
})

describe('formatError: reverted transactions', () => {
  const failed = (facts: Record<string, string>) => formatError(new WalletError('reverted', 'Facts.', facts))

  it('reports a price change for the router’s error and for known messages of other contracts', () => {
    const reasons = ['ReturnTooLow (returned 99, minimum 100)', 'Too little received', 'BAL#507']
    for (const reason of reasons) {
      const { what, next } = failed({ reason, step: 'swap' })
      expect(what).toBe('The price moved before your swap was confirmed.')
      expect(next).toBe(
        'No assets were moved; you only paid the network fee. Review again at the new price, or allow more slippage.',
      )
    }
  })

  it('recognises a router error that was recorded without a reason', () => {
    expect(failed({ error: 'ReturnTooLow' }).what).toBe('The price moved before your swap was confirmed.')
    expect(failed({ error: 'Expired' }).what).toBe('The swap expired before it was confirmed.')
  })

  it('does not mention a swap when an approval or a call failed', () => {
    expect(failed({ reason: 'Too little received', step: 'call' }).what).toBe(
      'The price is worse than the set limit.',
    )
    expect(failed({ reason: 'EnforcedPause', step: 'approve' }).what).toBe(
      'A token or contract is paused, or restricts who can use it or how much.',
    )
  })

  it('quotes an unknown reason of the contract and falls back to the usual sentence without one', () => {
    expect(failed({ reason: 'Auction \u202enot settled.' }).what).toBe(
      'The contract rejected the transaction: Auction not settled.',
    )
    expect(failed({ error: '0xdeadbeef' }).what).toBe('The transaction reverted.')
  })

  it('includes the revert reason of a failed simulation', () => {
    const facts = { reason: 'ERC20: transfer amount exceeds balance' }
    expect(formatError(new WalletError('would-fail', 'Facts.', facts))).toMatchObject({
      what: 'The simulation shows this would fail.',
      next: expect.stringMatching(/^A token balance is too low\. \(ERC20: .*\) Nothing was signed\./),
    })
  })
})
