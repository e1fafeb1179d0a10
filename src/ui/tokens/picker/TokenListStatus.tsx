import { isFreshList } from '../../../domain/token/listAge.ts'
import { t } from '../../../i18n/translate.ts'
import { formatAgo } from '../../format/relativeTime.ts'

type Props = {
  hasService: boolean
  isLoading: boolean
  /** Unix time in milliseconds. */
  listedAt: number | undefined
  onRefresh(): void
}

/** Shows the list's age, with a refresh if stale. */
export function TokenListStatus({ hasService, isLoading, listedAt, onRefresh }: Props) {
  if (isLoading) return <span>{t('Loading token list…')}</span>
  if (!hasService) return <span>{t('No token list (no swap service set up)')}</span>
  if (listedAt === undefined) return <span>{t('Token list unavailable')}</span>
  const now = Date.now()
  const age = now - listedAt
  if (age < minuteMs) return <span>{t('List updated just now')}</span>
  return (
    <>
      <span>{t('List updated {ago}', { ago: formatAgo(age) })}</span>
      {/* Stale despite the worker's refreshes: no answer, or no request. */}
      {!isFreshList(listedAt, now) && (
        <button type="button" class="link" onClick={onRefresh}>
          {t('Refresh')}
        </button>
      )}
    </>
  )
}

const minuteMs = 60_000
