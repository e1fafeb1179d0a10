import { t } from '../../i18n/translate.ts'
import { useStores } from '../hooks/useStore.ts'

/** Where to find the wallet again, for whoever just began in a tab. */
export function PinHint() {
  const { place } = useStores()
  return (
    <div class="banner" role="status">
      <span class="grow">
        {t(
          'All set. To find Sluice again: open the puzzle piece in the browser’s toolbar, and pin it. Its icon opens this.',
        )}
      </span>
      <button type="button" class="link" onClick={() => place.replace('overview')}>
        {t('Got it')}
      </button>
    </div>
  )
}
