import type { NetworkFee } from '../../domain/network/networkFee.ts'
import type { FeeSpeed } from '../../domain/swap/swap.ts'
import { t } from '../../i18n/translate.ts'
import { EditableValue } from '../components/fields/EditableValue.tsx'
import { Row } from '../components/Row.tsx'
import { FeeValue } from './FeeValue.tsx'
import { speedName } from './speeds.ts'

type Props = {
  /** Undefined until known. */
  cost: NetworkFee | undefined
  speed: FeeSpeed
  coin: string
  chainId: number
  onPress(): void
}

export function FeeRow({ cost, speed, coin, chainId, onPress }: Props) {
  return (
    <Row name={t('Network fee')}>
      {cost ? (
        <EditableValue label={t('Edit network fee')} onPress={onPress}>
          <FeeValue fee={cost} coin={coin} chainId={chainId} />
          {speed !== 'normal' && ` · ${speedName(speed)}`}
        </EditableValue>
      ) : (
        <span class="bone" />
      )}
    </Row>
  )
}
