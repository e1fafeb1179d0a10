import { t } from '../../i18n/translate.ts'
import { createHome } from '../../state/portfolio/home.ts'
import { Icon } from '../components/Icon.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStores } from '../hooks/data/useStore.ts'

/** Longer than most reads, so that the press is seen. */
const minTurnMs = 600

export function RefreshButton() {
  const stores = useStores()
  const { portfolio } = stores.get(createHome)
  const refresh = useMutation(async () => {
    const rest = new Promise((done) => setTimeout(done, minTurnMs))
    await Promise.all([stores.tokens.refresh(), portfolio.refresh(), rest])
  })
  return (
    <button
      type="button"
      class="round refresh"
      aria-label={t('Refresh balances')}
      title={t('Refresh balances')}
      aria-busy={refresh.isRunning}
      disabled={refresh.isRunning}
      onClick={() => refresh.run()}
    >
      <Icon name="refresh" size={15} />
    </button>
  )
}
