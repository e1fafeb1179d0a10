import { plural, t } from '../../language/translate.ts'
import { isOpen } from '../../state/swap.ts'
import { use, useStores, useTask } from '../use.ts'

type Props = { backedUp: boolean; onBackUp(): void }

/** What matters more than the form below it. */
export function Banners({ backedUp, onBackUp }: Props) {
  const { swap, approvals } = useStores()
  const waiting = use(approvals, ({ open }) => open.length)
  const show = useTask(approvals.show)
  const running = use(swap, ({ swaps }) => swaps.find(isOpen))
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
      {!backedUp && (
        <div class="banner">
          <span class="grow">{t('Write down your recovery phrase')}</span>
          <button type="button" class="link" onClick={onBackUp}>
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
    </>
  )
}
