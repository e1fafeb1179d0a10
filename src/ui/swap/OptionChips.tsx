import { t } from '../../i18n/translate.ts'
import { focus } from '../components/focus.ts'
import { Icon } from '../components/Icon.tsx'
import { formatSource, shortAddress } from '../format/address.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'

/** Lists unusual options. `focused` is the source whose button gets the focus. */
export function OptionChips({ focused }: { focused?: string | undefined }) {
  const { trade } = useStores()
  const { receiver, excluded, allowPartialFill } = useStore(trade, (state) => state)
  return (
    <ul class="chips" aria-label={t('Active swap settings')}>
      {receiver && (
        <Chip
          text={t('To {address}', { address: shortAddress(receiver) })}
          isBad
          onDrop={() => trade.setReceiver(undefined)}
        />
      )}
      {allowPartialFill && (
        <Chip text={t('Partial fill allowed')} onDrop={() => trade.setPartialFill(false)} />
      )}
      {excluded.map((name) => (
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
