import { plural, t } from '../../../i18n/translate.ts'
import { Icon } from '../../components/Icon.tsx'
import { formatPercent } from '../../format/numbers.ts'
import { useStore, useStores } from '../../hooks/data/useStore.ts'
import { slippageReason } from './slippageChip.ts'

/** Sheets above the form. */
export type SlippageForm = 'sell' | 'buy' | 'slippage' | 'route' | 'options'

/** Slippage, with the number of other options set. */
export function SlippageRow({
  slippageBps,
  onAsk,
}: {
  slippageBps: number
  onAsk(what: SlippageForm): void
}) {
  const { trade, settings } = useStores()
  const form = useStore(trade, (state) => state)
  const usual = useStore(settings, (state) => state.settings)
  const reason = slippageReason(form, usual, slippageBps)
  const percent = formatPercent(slippageBps)
  const chosen =
    reason === undefined
      ? percent
      : t(reason === 'auto' ? 'Auto {percent}' : '{percent} (site limit)', { percent })
  const { receiver, excluded, allowPartialFill } = form
  const unusual = Number(receiver !== undefined) + Number(allowPartialFill) + Number(excluded.length > 0)
  return (
    <div class="slippage">
      <button type="button" class="slippage-choose" aria-haspopup="dialog" onClick={() => onAsk('slippage')}>
        <span class="grow">{t('Max slippage')}</span>
        <span class="chip num">
          {chosen} <Icon name="down" size={12} />
        </span>
      </button>
      <button
        type="button"
        class="round more"
        aria-haspopup="dialog"
        aria-label={
          unusual === 0
            ? t('Swap settings')
            : plural(unusual, 'Swap settings, {count} changed', 'Swap settings, {count} changed')
        }
        title={t('Swap settings')}
        data-count={unusual || undefined}
        onClick={() => onAsk('options')}
      >
        <Icon name="sliders" size={16} />
      </button>
    </div>
  )
}
