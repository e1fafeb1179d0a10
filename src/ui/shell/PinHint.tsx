import { t } from '../../i18n/translate.ts'
import { useStores } from '../hooks/useStore.ts'

/** Where to find the wallet again, for whoever just began in a tab. */
export function PinHint() {
  const { place } = useStores()
  return (
    <div class="banner" role="status">
      <span class="grow">
        {t(
          'You’re all set. To find Sluice again, click the puzzle icon in your browser’s toolbar, then pin Sluice.',
        )}
      </span>
      <button type="button" class="link" onClick={() => place.replace('overview')}>
        {t('Got it')}
      </button>
    </div>
  )
}
