import { useState } from 'preact/hooks'
import { activityKind } from '../../domain/activity/activity.ts'
import { isOwnActivity } from '../../domain/activity/incoming.ts'
import { hasOutcome } from '../../domain/activity/intent.ts'
import type { Network } from '../../domain/network/network.ts'
import { plural, t } from '../../i18n/translate.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { useActivity } from '../hooks/data/useActivity.ts'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import type { TroubleNow } from '../networks/NetworkError.tsx'
import { BackupRpcBanner, NetworkError, useTrouble } from '../networks/NetworkErrorBanner.tsx'

/** `key` identifies one notice, not its kind. */
type Banner = { key: string; words: string; label: string; isBusy?: boolean; isNews?: boolean; act(): void }

/** Shows one notice at a time, most urgent first. */
export function Banners({ backedUp, network }: { backedUp: boolean; network: Network }) {
  const { account, swap, approvals, router, settings } = useStores()
  const waiting = useStore(approvals, ({ open }) => open.length)
  const show = useMutation(approvals.show)
  const confirm = useMutation(account.confirmRestored)
  const running = useStore(swap, ({ swaps }) => swaps.find((one) => !hasOutcome(one)))
  const sending = useActivity(({ entries }) =>
    entries?.filter(isOwnActivity).find((one) => !hasOutcome(one) && activityKind(one) === 'send'),
  )
  const isLost = useStore(settings, (state) => state.settings?.isLost)
  const isRestored = useStore(account, (state) => state.step === 'open' && state.isRestored)
  const [turned, setTurned] = useState({ at: 0, keys: '' })
  const [isOnSpare, setOnSpare] = useState(false)
  const trouble = useTrouble(network)

  const banners: (Banner | ({ key: string } & TroubleNow) | { key: 'spare' })[] = []
  if (waiting > 0) {
    const words = plural(waiting, '{count} pending request', '{count} pending requests')
    const key = `requests ${waiting}`
    banners.push({
      key,
      words,
      label: t('Show'),
      isBusy: show.isRunning,
      isNews: true,
      act: () => show.run(),
    })
  }
  // May be the cause of network errors.
  if (isLost) {
    const act = () => router.go('settings', 'backup')
    banners.push({
      key: 'lost',
      words: t('Your settings were corrupted and reset'),
      label: t('Restore'),
      act,
    })
  }
  if (isRestored) {
    const words = t(
      'Your wallet data was corrupted and restored from a copy. Check your accounts, and import any that are missing.',
    )
    const act = () => confirm.run()
    banners.push({ key: 'restored', words, label: t('Got it'), isBusy: confirm.isRunning, act })
  }
  if (trouble) {
    const codes = trouble.errors.map(({ code }) => code)
    banners.push({ key: ['trouble', trouble.isOffline, ...codes].join(' '), ...trouble })
  }
  if (network.spareRpcUrl && isOnSpare) banners.push({ key: 'spare' })
  if (running) {
    const act = () => swap.follow(running.intent.id)
    const key = `swap ${running.intent.id}`
    banners.push({ key, words: t('Swap pending'), label: t('View'), act })
  }
  if (sending) {
    const act = () => router.go('entry', sending.intent.id)
    const key = `transfer ${sending.intent.id}`
    banners.push({ key, words: t('Transfer pending'), label: t('View'), act })
  }
  if (!backedUp) {
    const act = () => router.go('phrase')
    banners.push({ key: 'phrase', words: t('Write down your recovery phrase'), label: t('Back up'), act })
  }

  // Any change returns to the most urgent notice.
  const keys = banners.map(({ key }) => key).join('\n')
  const at = turned.keys === keys ? turned.at : 0
  const banner = banners[at]
  const of = { number: at + 1, count: banners.length }
  const more = banners.length > 1 && (
    <button
      type="button"
      class="chip"
      aria-label={t('Notice {number} of {count}: show next', of)}
      onClick={() => setTurned({ at: of.number % of.count, keys })}
    >
      {t('{number} of {count}', of)}
    </button>
  )
  return (
    <>
      {network.spareRpcUrl && (
        <BackupRpcBanner
          network={network}
          isShown={banner?.key === 'spare'}
          onFound={setOnSpare}
          more={banner?.key === 'spare' && more}
        />
      )}
      {banner && 'errors' in banner && <NetworkError network={network} {...banner} more={more} />}
      {banner && 'words' in banner && (
        <div class="banner" role={banner.isNews ? 'status' : undefined}>
          <span class="grow">{banner.words}</span>
          <button type="button" class="link" disabled={banner.isBusy} onClick={banner.act}>
            {banner.label}
          </button>
          {more}
        </div>
      )}
      {confirm.error && <ErrorMessage error={confirm.error} />}
    </>
  )
}
