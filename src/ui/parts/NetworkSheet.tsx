import type { Network } from '../../domain/network.ts'
import { t } from '../../language/translate.ts'
import { isReachable } from '../../state/settings.ts'
import { use, useStores, useTask } from '../use.ts'
import { ErrorNote } from './ErrorNote.tsx'
import { Icon } from './Icon.tsx'
import { Sheet } from './Sheet.tsx'

type Props = { onClose(): void; onSetUp(chainId: number): void }

/** The networks to choose from. One that names nobody to ask yet leads to its settings. */
export function NetworkSheet({ onClose, onSetUp }: Props) {
  const { settings } = useStores()
  const now = use(settings, (state) => state.settings)
  const choose = useTask(async (network: Network) => {
    if (isReachable(network)) await settings.save({ chainId: network.chainId })
    else onSetUp(network.chainId)
    onClose()
  })
  return (
    <Sheet title={t('Network')} onClose={onClose}>
      <ul class="list">
        {now?.networks.map((network) => (
          <li key={network.chainId}>
            <button
              type="button"
              class="list-row"
              aria-current={network.chainId === now.chainId}
              onClick={() => choose.run(network)}
            >
              <span class="grow">
                {network.name}
                <span class="dim small"> · {network.coin.symbol}</span>
              </span>
              {!isReachable(network) && <span class="dim small">{t('Set up')}</span>}
              {network.chainId === now.chainId && <Icon name="check" />}
            </button>
          </li>
        ))}
      </ul>
      {choose.error && <ErrorNote error={choose.error} />}
    </Sheet>
  )
}
