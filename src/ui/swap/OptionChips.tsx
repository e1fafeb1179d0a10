import type { Network } from '../../domain/network/network.ts'
import { getSwapSource } from '../../domain/network/swapSource.ts'
import { t } from '../../i18n/translate.ts'
import { focus } from '../components/focus.ts'
import { Icon } from '../components/Icon.tsx'
import { formatSource, shortAddress } from '../format/address.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'

type Props = { network: Network; focused?: string | undefined }

/**
 * Lists unusual options, those of the swap service only while it is in use. `focused` is the source whose
 * button gets the focus.
 */
export function OptionChips({ network, focused }: Props) {
  const { trade } = useStores()
  const { receiver, excluded, allowPartialFill, source } = useStore(trade, (state) => state)
  const isService = getSwapSource(network, source) === 'service'
  return (
    <ul class="chips" aria-label={t('Active swap settings')}>
      {receiver && (
        <Chip
          text={t('To {address}', { address: shortAddress(receiver) })}
          isBad
          onDrop={() => trade.setReceiver(undefined)}
        />
      )}
      {isService && allowPartialFill && (
        <Chip text={t('Partial fill allowed')} onDrop={() => trade.setPartialFill(false)} />
      )}
      {isService &&
        excluded.map((name) => (
          <Chip
            key={name}
            text={t('Excluding {source}', { source: formatSource(name) })}
            isFocused={name === focused}
            onDrop={() => trade.setExcluded(excluded.filter((one) => one !== name))}
          />
        ))}
    </ul>
  )
}

type ChipProps = { text: string; isBad?: boolean; isFocused?: boolean; onDrop(): void }

function Chip({ text, isBad = false, isFocused = false, onDrop }: ChipProps) {
  return (
    <li class={isBad ? 'chip chip-bad' : 'chip'}>
      <span class="num">{text}</span>
      <button
        ref={isFocused ? focus : null}
        type="button"
        aria-label={t('Remove setting: {chip}', { chip: text })}
        onClick={onDrop}
      >
        <Icon name="close" size={14} />
      </button>
    </li>
  )
}
