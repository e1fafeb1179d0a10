import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { simulationReasons } from '../../../../src/domain/swap/simulationReasons.ts'
import { WalletError } from '../../../../src/errors.ts'
import german from '../../../../src/i18n/de.json' with { type: 'json' }
import { setLocale } from '../../../../src/i18n/translate.ts'
import { formatError } from '../../../../src/ui/messages/errors/errors.ts'
import { formatBareReason, formatRevertReason } from '../../../../src/ui/messages/errors/revertReason.ts'
import { formatFailure } from '../../../../src/ui/messages/errors/reverts.ts'

afterEach(() => setLocale({}))
const speakGerman = () => setLocale({ locale: 'de', table: new Map(Object.entries(german)) })

describe('formatRevertReason', () => {
  it('translates a reason that the wallet found', () => {
    const reason = 'The account cannot pay for it'
    expect(formatRevertReason(reason)).toBe('Insufficient funds')
    speakGerman()
    expect(formatRevertReason(reason)).toBe(german['Insufficient funds'])
    expect(formatRevertReason(`Call 2: ${reason}`)).toBe(`Aufruf 2: ${german['Insufficient funds']}`)
  })

  it('formats a reason that stands alone as a sentence', () => {
    expect(formatBareReason('no reason was given')).toBe('The contract gave no reason.')
    expect(formatBareReason('Call 2: no reason was given')).toBe('Call 2: no reason given.')
    expect(formatBareReason('ERC20: too much')).toBe('ERC20: too much.')
    expect(formatBareReason('Too late!')).toBe('Too late!')
    const error = new WalletError('would-fail', 'No.', { reason: 'no reason was given' })
    expect(formatError(error).next).toMatch(/^The contract gave no reason\. [A-Z]/)
  })

  it('keeps a contract’s own reason untranslated, without bidi controls and cut to 300 characters', () => {
    speakGerman()
    for (const reason of ['ERC20: too much', 'Swap', '{count} sites', 'Back'])
      expect(formatRevertReason(reason)).toBe(reason)
    expect(formatRevertReason(`a\u202e${'b'.repeat(400)}`)).toBe(`a${'b'.repeat(299)}`)
  })

  it('explains a known contract reason and quotes it', () => {
    expect(formatRevertReason('STF')).toBe(
      'A token can’t be transferred: the balance or allowance is too low, or the token blocks it. (STF)',
    )
    expect(formatRevertReason('Call 2: ReturnTooLow (returned 1, minimum 2)')).toBe(
      'Call 2: The price is worse than the set limit. (ReturnTooLow)',
    )
    speakGerman()
    expect(formatRevertReason('ERC20InsufficientBalance (sender 0x00, balance 1, needed 2)')).toBe(
      'Das Guthaben eines Tokens reicht dafür nicht aus. (ERC20InsufficientBalance)',
    )
  })

  it('quotes a reason that only resembles a known one', () => {
    for (const reason of [
      'SafeERC20: approve from non-zero to non-zero allowance',
      'Pausable: not paused',
      'Invalid deadline',
      'nonce too low',
    ])
      expect(formatRevertReason(reason)).toBe(reason)
  })

  it('keeps the code of a panic', () => {
    const why = 'A calculation in a contract failed.'
    expect(formatRevertReason('Panic (reason 17)')).toBe(`${why} (Panic (reason 17))`)
    expect(formatRevertReason('Panic (reason 18)')).toBe(`${why} (Panic (reason 18))`)
    expect(formatRevertReason('Panic (reason 1)')).toBe('Panic (reason 1)')
    expect(formatFailure({ reason: 'Panic (reason 17)', error: 'Panic' })).toBe(`${why} (Panic (reason 17))`)
    expect(formatFailure({ reason: 'Panic (reason 1)' })).toBe(
      'The contract rejected the transaction: Panic (reason 1).',
    )
  })

  it('finds no simulation reason written out beside the table', () => {
    for (const file of [
      'evm/simulation/simulate.ts',
      'evm/simulation/unsimulated.ts',
      'domain/swap/simulationCheck.ts',
    ]) {
      const source = readFileSync(new URL(`../../../../src/${file}`, import.meta.url), 'utf8')
      expect(source).toContain('simulationReasons.')
      expect(source).not.toMatch(/(?:unknown|crowded)\('|status: '(?:unknown|reverts)', reason: '/)
    }
  })

  it('translates every simulation reason of the wallet', () => {
    const reasons = Object.values(simulationReasons)
    expect(reasons.length).toBeGreaterThan(4)
    speakGerman()
    expect(reasons.filter((reason) => formatRevertReason(reason) === reason)).toEqual([])
  })
})
