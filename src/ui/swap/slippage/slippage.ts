import { slippageLimits } from '../../../domain/swap/quote.ts'
import { plainDigits } from '../../../domain/token/plainDigits.ts'
import { t } from '../../../i18n/translate.ts'

export const slippagePresets = [10, 50, 100]

export type SlippageWarning = { tone: 'plain' | 'warn'; text: string }

/** Parses a percentage into basis points. Accepts comma and dot. */
export function parseSlippage(text: string): number | string {
  const typed = plainDigits(text).replace(/%$/, '').trim()
  if (typed === '') return t('Enter a percentage.')
  const match = /^(\d{1,3})(?:[.,](\d*))?$/.exec(typed)
  if (match === null) return t('Enter a number, such as 0.5.')
  const [, whole = '0', fraction = ''] = match
  if (fraction.length > 2) return t('Use up to 2 decimal places.')
  const bps = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  if (bps < slippageLimits.leastBps) return t('The minimum is 0.01%.')
  if (bps > slippageLimits.mostBps) return t('The maximum is 50%.')
  return bps
}

export function warnSlippage(bps: number): SlippageWarning | undefined {
  if (bps < 10) return { tone: 'warn', text: t('Low slippage: your swap may fail if the price moves.') }
  if (bps > 500)
    return { tone: 'warn', text: t('High slippage: you may be front-run and receive only your minimum.') }
  if (bps > 100) return { tone: 'plain', text: t('Higher than most swaps need.') }
  return undefined
}

/** Basis points from which the value is typed twice. */
export const confirmAbove = 2_000

/** Explains auto for a pair, or in general. */
export function explainAuto(bps: number | undefined): string {
  switch (bps) {
    case undefined:
      return t('Auto is 0.1% for tokens with the same peg, 0.5% for major tokens, and 1% for all others.')
    case 10:
      return t('Auto is 0.1% because both tokens track the same price.')
    case 50:
      return t('Auto is 0.5% because both tokens are widely traded.')
    default:
      return t('Auto is 1% because one of these tokens may be volatile or charge a transfer fee.')
  }
}
