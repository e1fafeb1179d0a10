import '../style/lazy/welcome.css'
import { t } from '../../i18n/translate.ts'
import type { Tab } from '../../state/router.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useQuery } from '../hooks/data/useQuery.ts'
import { useStores } from '../hooks/data/useStore.ts'

/** Shown once, on the first screen after onboarding. Offers the side panel where the browser has one. */
export function WelcomeHint({ at }: { at: Tab }) {
  const { router, browserApi } = useStores()
  const { value: openers } = useQuery(browserApi.openers, [browserApi])
  const { value: isPanelFirst } = useQuery(browserApi.opensPanelFirst, [browserApi])
  const panel = isPanelFirst === false ? openers?.panel : undefined
  const usePanel = useMutation(async (open: () => Promise<void>) => {
    // Opens only in the click's own turn.
    const opening = open()
    await browserApi.setOpensPanelFirst(true)
    await opening
    router.replace(at)
  })
  return (
    <>
      <div class="banner welcome-hint" role="status">
        <span class="grow">
          {t(
            'You’re all set. To find Sluice again, click the puzzle icon in your browser’s toolbar, then pin Sluice.',
          )}
          {panel && <> {t('Sluice can also open in the side panel, beside your tabs.')}</>}
          <span class="banner-acts">
            {panel && (
              <button
                type="button"
                class="link"
                disabled={usePanel.isRunning}
                onClick={() => usePanel.run(panel)}
              >
                {t('Use side panel')}
              </button>
            )}
            <button type="button" class="link" onClick={() => router.replace(at)}>
              {panel ? t('Keep popup') : t('Got it')}
            </button>
          </span>
        </span>
      </div>
      {usePanel.error && <ErrorMessage error={usePanel.error} />}
    </>
  )
}
