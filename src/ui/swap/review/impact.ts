import { t } from '../../../i18n/translate.ts'
import { formatPercent } from '../../format/numbers.ts'

export type ImpactView = {
  tone: 'plain' | 'note' | 'warn' | 'bad'
  /** Severity in words, never colour alone. */
  value: string
  /** Absent when unknown. */
  percent?: string
  /** Standalone sentence. */
  words?: string
  needs?: 'tick' | 'amount'
}

/** Basis points from which the amount must be retyped. */
const amountFrom = 1_500

/** Converts an impact; undefined means unknown. */
export function toImpactView(bps: number | undefined): ImpactView {
  if (bps === undefined) return { tone: 'plain', value: t('Unknown'), needs: 'tick' }
  const percent = bps < 1 ? `<${formatPercent(1)}` : formatPercent(bps)
  const words = t('Price impact costs you {percent} of this trade’s value.', { percent })
  const advice = `${words} ${t('Try a smaller amount.')}`
  if (bps < 100) return { tone: 'plain', value: percent, percent }
  if (bps < 300) return { tone: 'note', value: t('{percent} · moderate', { percent }), percent, words }
  if (bps < 500) return { tone: 'warn', value: t('{percent} · high', { percent }), percent, words: advice }
  const needs = bps < amountFrom ? 'tick' : 'amount'
  return { tone: 'bad', value: t('{percent} · very high', { percent }), percent, words: advice, needs }
}
