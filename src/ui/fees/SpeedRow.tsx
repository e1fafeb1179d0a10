import { t } from '../../i18n/translate.ts'
import { Icon } from '../components/Icon.tsx'
import { NativeMax } from './NativeMax.tsx'
import type { FeeText } from './useFeeFormat.ts'

type Props = {
  name: string
  /** Formatted fee per gas. */
  gwei: string
  cost: FeeText
  isChosen: boolean
  onChoose(): void
}

export function SpeedRow({ name, gwei, cost, isChosen, onChoose }: Props) {
  return (
    <button type="button" class="list-row" aria-pressed={isChosen} onClick={onChoose}>
      <span class="grow">
        {name}
        <span class="dim small switch-hint">{t('{amount} gwei', { amount: gwei })}</span>
      </span>
      <span class="fee-end">
        <span class="num" title={cost.native}>
          {cost.text}
        </span>
        <NativeMax cost={cost} />
      </span>
      <span class="mark-place">{isChosen && <Icon name="check" size={18} />}</span>
    </button>
  )
}
