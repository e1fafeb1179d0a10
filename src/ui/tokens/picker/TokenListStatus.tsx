import { isFreshList } from '../../../domain/token/listAge.ts'
import { t } from '../../../i18n/translate.ts'
import { formatAgo } from '../../format/relativeTime.ts'

type Props = {
  hasService: boolean
  isLoading: boolean
  /** When the list was had, in milliseconds since 1970. */
  listedAt: number | undefined
  onRefresh(): void
}

/** How old the list is, and where there is none, why. One that is older than it should be can be asked for again. */
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
      {/* The worker asks for a new one by itself: an older one means that nobody answered, or nobody asked. */}
      {!isFreshList(listedAt, now) && (
        <button type="button" class="link" onClick={onRefresh}>
          {t('Refresh')}
        </button>
      )}
    </>
  )
}

const minuteMs = 60_000
