import type { FeeSpeed, Review } from '../../domain/swap/swap.ts'
import { t } from '../../i18n/translate.ts'
import { EditableValue } from '../components/fields/EditableValue.tsx'
import { Row } from '../components/Row.tsx'
import { formatAmount } from '../format/numbers.ts'
import { speedName } from './speeds.ts'

type Props = {
  /** Undefined until known. */
  cost: Pick<Review, 'feeCap'> | undefined
  speed: FeeSpeed
  coin: string
  onPress(): void
}

export function FeeRow({ cost, speed, coin, onPress }: Props) {
  return (
    <Row name={t('Network fee (max)')}>
      {cost ? (
        <EditableValue label={t('Edit network fee')} onPress={onPress}>
          {formatAmount(cost.feeCap, 18)} {coin}
          {speed !== 'normal' && ` · ${speedName(speed)}`}
        </EditableValue>
      ) : (
        <span class="bone" />
      )}
    </Row>
  )
}
