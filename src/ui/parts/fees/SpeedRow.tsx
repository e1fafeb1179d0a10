import { t } from '../../../language/translate.ts'
import { Icon } from '../Icon.tsx'
import { formatGwei } from './gwei.ts'

type Props = {
  name: string
  maxFeePerGas: bigint
  /** The most that it costs, as it is written, with its coin. */
  cost: string
  isChosen: boolean
  onChoose(): void
}

/** One speed of a list: what it pays per gas, and what that costs at most. */
export function SpeedRow({ name, maxFeePerGas, cost, isChosen, onChoose }: Props) {
  return (
    <button type="button" class="list-row" aria-pressed={isChosen} onClick={onChoose}>
      <span class="grow">
        {name}
        <span class="dim small switch-hint">
          {t('{amount} gwei per gas', { amount: formatGwei(maxFeePerGas) })}
        </span>
      </span>
      <span class="num">{cost}</span>
      <span class="mark-place">{isChosen && <Icon name="check" size={18} />}</span>
    </button>
  )
}
