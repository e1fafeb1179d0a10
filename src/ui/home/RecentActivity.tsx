import { selectNewest } from '../../domain/activity/activityFilter.ts'
import { getEntryId } from '../../domain/activity/incoming.ts'
import type { Address } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { ActivityRow } from '../activity/ActivityRow.tsx'
import { useEntryTokens } from '../activity/useEntryTokens.ts'
import { formatWhen } from '../format/time.ts'
import { useActivity } from '../hooks/data/useActivity.ts'
import { useStores } from '../hooks/data/useStore.ts'
import '../style/lazy/activity.css'

export function RecentActivity({ account, chainId }: { account: Address; chainId: number }) {
  const { router } = useStores()
  const entries = useActivity((state) => state.entries)
  const own = selectNewest(entries ?? [], { account, chainId })
  const tokens = useEntryTokens(own)
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
      <ul class="panel group">
        {own.map((entry) => (
          <ActivityRow
            key={getEntryId(entry)}
            entry={entry}
            tokens={tokens}
            isElsewhere={false}
            when={formatWhen(entry.createdAt, Date.now())}
          />
        ))}
      </ul>
    </>
  )
}
