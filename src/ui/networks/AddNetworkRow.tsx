import { t } from '../../i18n/translate.ts'
import { addNetworkWay } from '../../state/router.ts'
import { Icon } from '../components/Icon.tsx'
import { useStores } from '../hooks/data/useStore.ts'

/** Last row of a sheet: leads to the choice of another network. */
export function AddNetworkRow({ onClose }: { onClose(): void }) {
  const { router } = useStores()
  return (
    <button
      type="button"
      class="list-row sheet-foot"
      onClick={() => {
        router.go('begin', addNetworkWay)
        onClose()
      }}
    >
      <Icon name="plus" size={18} />
      <span class="grow">{t('Add a network')}</span>
    </button>
  )
}
