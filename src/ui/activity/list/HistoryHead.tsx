import { useMemo } from 'preact/hooks'
import { type ActivityEntry, getEntryAccount, isIncoming } from '../../../domain/activity/incoming.ts'
import { isSwap } from '../../../domain/activity/intent.ts'
import { summarizeSwaps } from '../../../domain/activity/swapHistory.ts'
import type { Address } from '../../../domain/token/token.ts'
import { spokenLocale, t } from '../../../i18n/translate.ts'
import { formatPercent } from '../../format/numbers.ts'
import { usePastValue } from '../PastValue.tsx'

type Props = { entries: ActivityEntry[]; account: Address | undefined }

/** Sums up the swaps of an account, or of all; nothing before the first one. */
export function HistoryHead({ entries, account }: Props) {
  const pastValueOf = usePastValue()
  const { done, judged, kept, fees, market } = useMemo(() => {
    const own = entries.filter((one) => account === undefined || getEntryAccount(one) === account)
    return summarizeSwaps(own.flatMap((one) => (isIncoming(one) || !isSwap(one) ? [] : [one])))
  }, [entries, account])
  if (done === 0) return null
  const feeValue = fees.priced > 0 ? pastValueOf(fees.usd) : undefined
  const count = (value: number) => value.toLocaleString(spokenLocale())
  return (
    <dl class="panel history">
      <Figure name={t('Swaps')} text={count(done)} />
      {judged > 0 && (
        <Figure
          name={t('Promises kept')}
          text={t('{kept} of {count}', { kept: count(kept), count: count(judged) })}
          tone={kept === judged ? 'good' : 'bad'}
        />
      )}
      {feeValue !== undefined && (
        <Figure name={t('Fees paid')} text={fees.priced < fees.charged ? `≥ ${feeValue}` : feeValue} />
      )}
      {market !== undefined && <Figure name={t('Vs. market price')} text={signed(market.bps)} />}
    </dl>
  )
}

function Figure({ name, text, tone }: { name: string; text: string; tone?: 'good' | 'bad' }) {
  return (
    <div>
      <dt class="small dim">{name}</dt>
      <dd class="num" data-tone={tone}>
        {text}
      </dd>
    </div>
  )
}

function signed(bps: number): string {
  const text = formatPercent(Math.abs(bps))
  return text === formatPercent(0) ? text : `${bps < 0 ? '−' : '+'}${text}`
}
