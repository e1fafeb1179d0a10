import { useState } from 'preact/hooks'
import { t } from '../../../i18n/translate.ts'
import { Warning } from '../../components/alerts/Warning.tsx'
import { Field } from '../../components/fields/Field.tsx'
import { Sheet } from '../../components/Sheet.tsx'
import { decimalMark, formatPercent } from '../../format/numbers.ts'
import { useUnsavedEdits } from '../../hooks/data/useUnsavedEdits.ts'
import { confirmAbove, explainAuto, parseSlippage, slippagePresets, warnSlippage } from './slippage.ts'

type Props = {
  title: string
  /** True for the default of all swaps. */
  isDefault?: boolean
  /** Undefined for auto. */
  value: number | undefined
  /** For the current pair. */
  autoBps?: number
  /** Default from the settings. */
  usual?: { bps: number; isChosen: boolean; onChoose(): void } | undefined
  /** Requested by a site. */
  limitBps?: number | undefined
  onChoose(bps: number | undefined): void
  onClose(): void
}

export function SlippageSheet({
  title,
  isDefault = false,
  value,
  autoBps,
  usual,
  limitBps,
  onChoose,
  onClose,
}: Props) {
  const isPreset = value === undefined || usual?.isChosen || slippagePresets.includes(value)
  const { edits, edit, drop } = useUnsavedEdits<{ percent: string }>(
    isDefault ? 'slippage-default' : 'slippage-swap',
  )
  const text = edits.percent ?? (isPreset ? '' : String(value / 100).replace('.', decimalMark()))
  const [again, setAgain] = useState('')
  const typed = parseSlippage(text)
  const advice = typeof typed === 'number' ? warnSlippage(typed) : undefined
  const needsAgain = typeof typed === 'number' && typed >= confirmAbove
  const isUsable = typeof typed === 'number' && (!needsAgain || parseSlippage(again) === typed)
  // Closing drops the draft; a closed popup keeps it.
  const close = () => {
    drop(edits)
    onClose()
  }
  const choose = (bps: number | undefined) => {
    onChoose(bps)
    close()
  }
  return (
    <Sheet title={title} onClose={close}>
      <p class="dim">{t('Your swap won’t go through if the price moves against you by more than this.')}</p>
      <div class="presets">
        {[undefined, ...slippagePresets].map((bps) => (
          <button
            key={bps}
            type="button"
            class="preset num"
            aria-pressed={bps === value && !usual?.isChosen}
            onClick={() => choose(bps)}
          >
            {bps === undefined ? t('Auto') : formatPercent(bps)}
          </button>
        ))}
      </div>
      {usual && (
        <button
          type="button"
          class="preset num"
          aria-pressed={usual.isChosen}
          onClick={() => {
            usual.onChoose()
            close()
          }}
        >
          {t('Your default ({percent})', { percent: formatPercent(usual.bps) })}
        </button>
      )}
      <p class="line">{explainAuto(autoBps)}</p>
      {limitBps !== undefined && (
        <p class="line">
          {t('The site limits max slippage to {percent}.', { percent: formatPercent(limitBps) })}
        </p>
      )}
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (isUsable) choose(typed)
        }}
      >
        <Field
          label={t('Custom (%)')}
          inputMode="decimal"
          placeholder={t('0.01 to 50')}
          autocomplete="off"
          value={text}
          onInput={(percent) => edit({ percent })}
          fault={text !== '' && typeof typed === 'string' ? typed : undefined}
          hint={advice?.tone === 'plain' ? advice.text : ''}
        />
        {advice?.tone === 'warn' && <Warning>{advice.text}</Warning>}
        {needsAgain && (
          <Field
            label={t('Re-enter to confirm')}
            inputMode="decimal"
            autocomplete="off"
            value={again}
            onInput={setAgain}
          />
        )}
        <button class="main" type="submit" disabled={!isUsable}>
          {isUsable ? t('Apply {percent}', { percent: formatPercent(typed) }) : t('Apply')}
        </button>
      </form>
    </Sheet>
  )
}
