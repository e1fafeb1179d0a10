import { selectNewest } from '../../domain/activity/activityFilter.ts'
import type { Address } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { EntryRows } from '../activity/list/EntryRows.tsx'
import { useActivity } from '../hooks/data/useActivity.ts'
import { useStores } from '../hooks/data/useStore.ts'

export function RecentActivity({ account, chainId }: { account: Address; chainId: number }) {
  const { router } = useStores()
  const entries = useActivity((state) => state.entries)
  const own = selectNewest(entries ?? [], { account, chainId })
  if (own.length === 0) return null
  return (
    <>
      <div class="newest-head">
        <h2 class="part">{t('Activity')}</h2>
        <button type="button" class="link small" onClick={() => router.go('activity')}>
          {t('View all')}
          <span class="unseen"> {t('Activity')}</span>
        </button>
      </div>
      <EntryRows entries={own} />
    </>
  )
}
