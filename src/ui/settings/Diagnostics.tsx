import { t } from '../../i18n/translate.ts'
import { createDiagnostics } from '../../state/backup/diagnostics.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { CopyButton } from '../components/fields/CopyButton.tsx'
import { saveFile } from '../downloadFile.ts'
import { readErrorLog } from '../errorLog.ts'
import { useQuery } from '../hooks/data/useQuery.ts'
import { useStores } from '../hooks/data/useStore.ts'
import type { ScreenProps } from '../screenProps.ts'

/** State of the wallet as text, to share with support. */
export function Diagnostics({ settings }: ScreenProps) {
  const stores = useStores()
  const diagnostics = stores.get(createDiagnostics)
  const {
    status,
    value: text,
    error,
  } = useQuery(() => {
    const view = {
      userAgent: navigator.userAgent,
      width: innerWidth,
      height: innerHeight,
      pixelRatio: devicePixelRatio,
      language: navigator.language,
      isOnline: navigator.onLine,
      faults: readErrorLog(),
    }
    return diagnostics.write(stores.browserApi, view, settings)
  }, [diagnostics, stores, settings])
  return (
    <>
      <p class="dim">
        {t(
          'You can share this report when you ask for help. It contains none of your addresses, amounts, names, keys or server names. It isn’t sent automatically: read it, then copy or export it.',
        )}
      </p>
      {error && <ErrorMessage error={error} />}
      {status === 'asking' && <p class="nothing">{t('Loading…')}</p>}
      {text !== undefined && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable, so reachable by keyboard. */}
          <section class="panel report" tabIndex={0} aria-label={t('Diagnostics')}>
            <pre dir="ltr">{text}</pre>
          </section>
          <div class="report-acts">
            <CopyButton text={text} label={t('Copy diagnostics')}>
              {t('Copy')}
            </CopyButton>
            <button
              type="button"
              class="second"
              onClick={() => saveFile('sluice-diagnostics.json', 'application/json', text)}
            >
              {t('Export')}
            </button>
          </div>
        </>
      )}
    </>
  )
}
