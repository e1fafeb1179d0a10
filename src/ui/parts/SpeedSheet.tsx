import { useState } from 'preact/hooks'
import type { Review, Speed } from '../../domain/swap.ts'
import { t, wording } from '../../language/translate.ts'
import { capAt } from '../capAt.ts'
import { formatGwei, parseFees } from '../gwei.ts'
import { formatAmount } from '../numbers.ts'
import { Field } from './Field.tsx'
import { Icon } from './Icon.tsx'
import { Note } from './Note.tsx'
import { Sheet } from './Sheet.tsx'

type Props = {
  review: Pick<Review, 'speeds' | 'gas' | 'l1Fee' | 'networkFee' | 'feeCap'>
  speed: Speed
  coin: string
  onChoose(speed: Speed): void
  onClose(): void
}

export const speedNames = { slow: wording('Slow'), normal: wording('Normal'), fast: wording('Fast') } as const
const names = ['slow', 'normal', 'fast'] as const

/** How soon it shall be mined, and what that costs at the most: the same number that the review shows. */
export function SpeedSheet({ review, speed, coin, onChoose, onClose }: Props) {
  const { speeds, gas, l1Fee } = review
  const custom = typeof speed === 'string' ? undefined : speed
  const [most, setMost] = useState(custom ? formatGwei(custom.maxFeePerGas) : '')
  const [tip, setTip] = useState(custom ? formatGwei(custom.maxPriorityFeePerGas) : '')
  const typed = parseFees({ most, tip }, speeds.fast)
  const fees = 'maxFeePerGas' in typed ? typed : undefined
  const faults = 'maxFeePerGas' in typed ? {} : typed
  const choose = (chosen: Speed) => {
    onChoose(chosen)
    onClose()
  }
  return (
    <Sheet title={t('Network fee, at most')} onClose={onClose}>
      <div class="panel group">
        {names.map((name) => (
          <button
            key={name}
            type="button"
            class="list-row"
            aria-pressed={speed === name}
            onClick={() => choose(name)}
          >
            <span class="grow">
              {t(speedNames[name])}
              <span class="dim small switch-hint">
                {t('{amount} gwei per gas', { amount: formatGwei(speeds[name].maxFeePerGas) })}
              </span>
            </span>
            <span class="num">
              {formatAmount(capAt(review, speeds[name].networkFee), 18)} {coin}
            </span>
            <span class="mark-place">{speed === name && <Icon name="check" size={18} />}</span>
          </button>
        ))}
      </div>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (fees) choose(fees)
        }}
      >
        <div class="two">
          <Field
            label={t('Max fee, in gwei')}
            inputMode="decimal"
            autocomplete="off"
            placeholder={formatGwei(speeds.normal.maxFeePerGas)}
            value={most}
            onInput={setMost}
            fault={faults.most}
          />
          <Field
            label={t('Priority fee, in gwei')}
            inputMode="decimal"
            autocomplete="off"
            placeholder={formatGwei(speeds.normal.maxPriorityFeePerGas)}
            value={tip}
            onInput={setTip}
            fault={faults.tip}
          />
        </div>
        {fees && fees.maxFeePerGas < speeds.slow.maxFeePerGas && (
          <Note>{t('Others pay more. It may wait for long.')}</Note>
        )}
        <button class="main" type="submit" disabled={fees === undefined}>
          {fees
            ? t('Use, at most {amount}', {
                amount: `${formatAmount(capAt(review, gas * fees.maxFeePerGas + l1Fee), 18)} ${coin}`,
              })
            : t('Use custom')}
        </button>
      </form>
    </Sheet>
  )
}
