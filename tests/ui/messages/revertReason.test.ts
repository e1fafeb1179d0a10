import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { WalletError } from '../../../src/errors.ts'
import german from '../../../src/i18n/de.json' with { type: 'json' }
import { setLocale } from '../../../src/i18n/translate.ts'
import { formatError } from '../../../src/ui/messages/errors.ts'
import { formatBareReason, formatRevertReason } from '../../../src/ui/messages/revertReason.ts'
import { formatFailure } from '../../../src/ui/messages/reverts.ts'

afterEach(() => setLocale({}))
const speakGerman = () => setLocale({ locale: 'de', table: new Map(Object.entries(german)) })

describe('why something would fail', () => {
  it('is said in the user’s language where the wallet found it', () => {
    expect(formatRevertReason('The account cannot pay for it')).toBe('The account cannot pay for it')
    speakGerman()
    expect(formatRevertReason('The account cannot pay for it')).toBe('Das Konto kann das nicht bezahlen')
    expect(formatRevertReason('Call 2: The account cannot pay for it')).toBe(
      'Aufruf 2: Das Konto kann das nicht bezahlen',
    )
  })

  it('is a sentence where it stands by itself', () => {
    expect(formatBareReason('no reason was given')).toBe('The contract gives no reason.')
    expect(formatBareReason('Call 2: no reason was given')).toBe('Call 2: no reason was given.')
    expect(formatBareReason('ERC20: too much')).toBe('ERC20: too much.')
    expect(formatBareReason('Too late!')).toBe('Too late!')
    const error = new WalletError('would-fail', 'No.', { reason: 'no reason was given' })
    expect(formatError(error).next).toMatch(/^The contract gives no reason\. [A-Z]/)
  })

  it('is said as a contract said it, whatever that looks like', () => {
    speakGerman()
    for (const reason of ['ERC20: too much', 'Swap', '{count} sites', 'Back'])
      expect(formatRevertReason(reason)).toBe(reason)
    expect(formatRevertReason(`a\u202e${'b'.repeat(400)}`)).toBe(`a${'b'.repeat(299)}`)
  })

  it('is explained where a contract’s words are known, with those words', () => {
    expect(formatRevertReason('STF')).toBe(
      'A token could not be transferred: balance or allowance is too low, or the token refuses. (STF)',
    )
    expect(formatRevertReason('Call 2: ReturnTooLow (returned 1, minimum 2)')).toBe(
      'Call 2: The price is worse than the limit that was set. (ReturnTooLow)',
    )
    speakGerman()
    expect(formatRevertReason('ERC20InsufficientBalance (sender 0x00, balance 1, needed 2)')).toBe(
      'Das Guthaben eines Tokens reicht dafür nicht aus. (ERC20InsufficientBalance)',
    )
  })

  it('quotes a reason that only sounds like a known one', () => {
    for (const reason of [
      'SafeERC20: approve from non-zero to non-zero allowance',
      'Pausable: not paused',
      'Invalid deadline',
      'nonce too low',
    ])
      expect(formatRevertReason(reason)).toBe(reason)
  })

  it('keeps the code of a panic', () => {
    const why = 'A calculation inside a contract failed.'
    expect(formatRevertReason('Panic (reason 17)')).toBe(`${why} (Panic (reason 17))`)
    expect(formatRevertReason('Panic (reason 18)')).toBe(`${why} (Panic (reason 18))`)
    expect(formatRevertReason('Panic (reason 1)')).toBe('Panic (reason 1)')
    expect(formatFailure({ reason: 'Panic (reason 17)', error: 'Panic' })).toBe(`${why} (Panic (reason 17))`)
    expect(formatFailure({ reason: 'Panic (reason 1)' })).toBe('Its contract refused it: Panic (reason 1).')
  })

  it('knows every reason that the wallet gives by itself', () => {
    const sources = ['evm/simulate.ts', 'evm/unsimulated.ts', 'domain/swap/simulationCheck.ts'].map((file) =>
      readFileSync(new URL(`../../../src/${file}`, import.meta.url), 'utf8'),
    )
    const found = sources.flatMap((source) => [
      ...source.matchAll(
        /(?:unknown|crowded)\('([^']+)'\)|status: '(?:unknown|reverts)', reason: '([^']+)'/g,
      ),
    ])
    const reasons = found.map(([, one, other]) => one ?? other ?? '')
    expect(reasons.length).toBeGreaterThan(4)
    speakGerman()
    expect(reasons.filter((reason) => formatRevertReason(reason) === reason)).toEqual([])
  })
})
