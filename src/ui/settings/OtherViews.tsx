import { t } from '../../i18n/translate.ts'
import { ErrorMessage } from '../components/ErrorMessage.tsx'
import { Icon } from '../components/Icon.tsx'
import { useMutation } from '../hooks/useMutation.ts'
import { useQuery } from '../hooks/useQuery.ts'
import { useStores } from '../hooks/useStore.ts'

/** Opens the views that the browser supports. */
export function OtherViews() {
  const { browserApi, openTab } = useStores()
  const take = useMutation(async (way: () => Promise<unknown>) => way())
  const { value: openers } = useQuery(browserApi.openers, [browserApi])
  const { panel, hasTab } = openers ?? { hasTab: false }
  if (panel === undefined && !hasTab) return null
  return (
    <>
      <div class="panel group">
        {panel && (
          <button type="button" class="list-row" onClick={() => take.run(panel)}>
            <span class="grow">{t('Open in side panel')}</span>
            <Icon name="out" size={18} />
          </button>
        )}
        {hasTab && (
          <button type="button" class="list-row" onClick={() => take.run(() => openTab({ at: 'overview' }))}>
            <span class="grow">{t('Open in a tab')}</span>
            <Icon name="out" size={18} />
          </button>
        )}
      </div>
      {take.error && <ErrorMessage error={take.error} />}
    </>
  )
}
