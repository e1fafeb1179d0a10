import type { NetworkFee } from '../../domain/network/networkFee.ts'
import type { FeeSpeed } from '../../domain/swap/swap.ts'
import { t } from '../../i18n/translate.ts'
import { EditableValue } from '../components/fields/EditableValue.tsx'
import { Row } from '../components/Row.tsx'
import { NativeMax } from './NativeMax.tsx'
import { speedName } from './speeds.ts'
import { useFeeFormat } from './useFeeFormat.ts'

type Props = {
  /** Undefined until known. */
  cost: NetworkFee | undefined
  speed: FeeSpeed
  coin: string
  chainId: number
  onPress(): void
}

export function FeeRow({ cost, speed, coin, chainId, onPress }: Props) {
  const format = useFeeFormat(coin, chainId)
  const fee = cost && format.of(cost)
  return (
    <Row name={t('Network fee')}>
      {fee ? (
        <EditableValue label={t('Edit network fee')} onPress={onPress}>
          <span class="num" title={fee.native}>
            {fee.text}
          </span>
          {speed !== 'normal' && ` · ${speedName(speed)}`}
        </EditableValue>
      ) : (
        <span class="bone" />
      )}
      {format.hasValues && <NativeMax cost={fee} />}
    </Row>
  )
}
