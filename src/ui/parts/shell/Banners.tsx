import { kindOf } from '../../../domain/activity/activity.ts'
import { isOver } from '../../../domain/activity/intent.ts'
import { plural, t } from '../../../language/translate.ts'
import { use, useStores } from '../../hooks/use.ts'
import { useActivity } from '../../hooks/useActivity.ts'
import { useTask } from '../../hooks/useTask.ts'
import { ErrorNote } from '../ErrorNote.tsx'

/** What matters more than the form below it. */
export function Banners({ backedUp }: { backedUp: boolean }) {
  const { account, swap, approvals, place, settings } = useStores()
  const waiting = use(approvals, ({ open }) => open.length)
  const show = useTask(approvals.show)
  const confirm = useTask(account.confirmRestored)
  const running = use(swap, ({ swaps }) => swaps.find((one) => !isOver(one)))
  const sending = useActivity(({ entries }) => entries?.find((one) => !isOver(one) && kindOf(one) === 'send'))
  return (
    <>
      {waiting > 0 && (
        <div class="banner" role="status">
          <span class="grow">{plural(waiting, '{count} request waits', '{count} requests wait')}</span>
          <button type="button" class="link" disabled={show.isRunning} onClick={() => show.run()}>
            {t('Show')}
          </button>
        </div>
      )}
      {use(settings, (state) => state.settings?.isLost) && (
        <div class="banner">
          <span class="grow">{t('Your settings were damaged and reset')}</span>
          <button type="button" class="link" onClick={() => place.go('settings', 'backup')}>
            {t('Restore')}
          </button>
        </div>
      )}
      {use(account, (state) => state.step === 'open' && state.isRestored) && (
        <div class="banner">
          <span class="grow">
            {t(
              'Your wallet was damaged and restored from a copy. Check your accounts, and import what is missing.',
            )}
          </span>
          <button type="button" class="link" disabled={confirm.isRunning} onClick={() => confirm.run()}>
            {t('Got it')}
          </button>
        </div>
      )}
      {confirm.error && <ErrorNote error={confirm.error} />}
      {!backedUp && (
        <div class="banner">
          <span class="grow">{t('Write down your recovery phrase')}</span>
          <button type="button" class="link" onClick={() => place.go('phrase')}>
            {t('Back up')}
          </button>
        </div>
      )}
      {running && (
        <div class="banner">
          <span class="grow">{t('A swap is on its way')}</span>
          <button type="button" class="link" onClick={() => swap.follow(running.intent.id)}>
            {t('Follow')}
          </button>
        </div>
      )}
      {sending && (
        <div class="banner">
          <span class="grow">{t('A transfer is on its way')}</span>
          <button type="button" class="link" onClick={() => place.go('entry', sending.intent.id)}>
            {t('Follow')}
          </button>
        </div>
      )}
    </>
  )
}
