import { slippageLimits } from '../../domain/swap/quote.ts'
import { plainDigits } from '../../domain/token/plainDigits.ts'
import { t } from '../../i18n/translate.ts'

export const slippagePresets = [10, 50, 100]

export type SlippageWarning = { tone: 'plain' | 'warn'; text: string }

/** A typed percentage as basis points, or the sentence that says why not. Comma and dot are both decimal marks. */
export function parseSlippage(text: string): number | string {
  const typed = plainDigits(text).replace(/%$/, '').trim()
  if (typed === '') return t('Enter a percentage.')
  const match = /^(\d{1,3})(?:[.,](\d*))?$/.exec(typed)
  if (match === null) return t('Enter a number such as 0.5.')
  const [, whole = '0', fraction = ''] = match
  if (fraction.length > 2) return t('Two decimals at most.')
  const bps = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  if (bps < slippageLimits.leastBps) return t('At least 0.01%.')
  if (bps > slippageLimits.mostBps) return t('At most 50%.')
  return bps
}

/** What a slippage means for the trade, when it is an unusual one. */
export function warnSlippage(bps: number): SlippageWarning | undefined {
  if (bps < 10) return { tone: 'warn', text: t('So little that the swap may fail when the price moves.') }
  if (bps > 500)
    return { tone: 'warn', text: t('Others may trade against you and leave you the least you accept.') }
  if (bps > 100) return { tone: 'plain', text: t('More than most trades need.') }
  return undefined
}

/** From here on the number must be typed twice. */
export const confirmAbove = 2_000

/** What auto means: for the pair at hand, or for any. */
export function explainAuto(bps: number | undefined): string {
  switch (bps) {
    case undefined:
      return t('Auto is 0.1% for two tokens of one peg, 0.5% for what everybody trades, 1% for others.')
    case 10:
      return t('Auto is 0.1% here: both tokens follow the same price.')
    case 50:
      return t('Auto is 0.5% here: both tokens are widely traded.')
    default:
      return t('Auto is 1% here: one of these tokens may move a lot, or takes a fee.')
  }
}
