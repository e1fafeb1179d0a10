import { plural, t } from '../../../i18n/translate.ts'
import type { QuoteState } from '../../../state/swap/quote.ts'
import { Icon } from '../../components/Icon.tsx'
import { useNow } from '../../hooks/useNow.ts'
import { formatQuoteAge } from './quoteAge.ts'

type Props = { quote: QuoteState; everyMs: number; onRefresh(): void }

const round = 2 * Math.PI * 9

/** Countdown to the next quote, with a refresh button. Coloured only after a failed refresh. */
export function RefreshTimer({ quote, everyMs, onRefresh }: Props) {
  const now = useNow(quote.status === 'ready' ? 250 : 60_000)
  if (quote.status !== 'ready') {
    const isBusy = quote.status === 'loading'
    return (
      <button
        type="button"
        class={isBusy ? 'ring ring-busy' : 'ring'}
        aria-label={t('Refresh quote')}
        disabled={quote.status === 'idle' || isBusy}
        onClick={onRefresh}
      >
        <Icon name="refresh" size={18} />
      </button>
    )
  }
  const left = quote.nextAt === undefined ? 0 : Math.max(0, quote.nextAt - now)
  const seconds = Math.ceil(left / 1_000)
  const age = Math.max(0, Math.floor((now - quote.askedAt) / 1_000))
  return (
    <>
      {/* Always present, to avoid layout shifts. */}
      <span class="quote-age num" aria-hidden="true">
        {formatQuoteAge(age)}
      </span>
      <button
        type="button"
        class="ring"
        data-tone={quote.trouble && 'failed'}
        data-busy={quote.nextAt === undefined}
        aria-label={plural(age, 'Refresh quote, {count} second old', 'Refresh quote, {count} seconds old')}
        title={t('{seconds}s ago', { seconds: age })}
        onClick={onRefresh}
      >
        <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
          <circle class="ring-track" cx="12" cy="12" r="9" />
          <circle
            class="ring-left"
            cx="12"
            cy="12"
            r="9"
            stroke-dasharray={round}
            stroke-dashoffset={round * (1 - Math.min(1, left / everyMs))}
          />
        </svg>
        {/* The button has the label. */}
        <span class="ring-seconds num" data-left={seconds} />
      </button>
    </>
  )
}
