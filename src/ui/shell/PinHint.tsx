import { t } from '../../i18n/translate.ts'
import { useStores } from '../hooks/data/useStore.ts'

export function PinHint() {
  const { router } = useStores()
  return (
    <div class="banner" role="status">
      <span class="grow">
        {t(
          'You’re all set. To find Sluice again, click the puzzle icon in your browser’s toolbar, then pin Sluice.',
        )}
      </span>
      <button type="button" class="link" onClick={() => router.replace('overview')}>
        {t('Got it')}
      </button>
    </div>
  )
}
