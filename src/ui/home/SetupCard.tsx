import '../style/lazy/setup.css'
import type { Network } from '../../domain/network/network.ts'
import { t } from '../../i18n/translate.ts'
import { setupProgress } from '../../state/networks/setupProgress.ts'
import { Icon } from '../components/Icon.tsx'
import { useStores } from '../hooks/data/useStore.ts'

type Props = { networks: Network[]; network: Network }

/** Shows what is set up, and leads to the next step. */
export function SetupCard({ networks, network }: Props) {
  const { router } = useStores()
  const { wallet, swaps } = setupProgress(networks, network)
  return (
    <section class="panel setup" aria-labelledby="setup-title">
      <h2 id="setup-title">{t('Finish setting up')}</h2>
      <ol class="setup-steps">
        <Step isDone={wallet} title={t('Wallet ready')} hint={t('Needs a network')} />
        <Step
          isDone={swaps}
          title={t('Swaps ready')}
          hint={wallet ? t('Needs a swap service') : t('Needs a network')}
        />
      </ol>
      {wallet ? (
        <button type="button" class="main" onClick={() => router.go('network', String(network.chainId))}>
          {t('Add a swap service')}
        </button>
      ) : (
        <button type="button" class="main" onClick={() => router.go('begin')}>
          {t('Choose where to swap')}
        </button>
      )}
    </section>
  )
}

function Step({ isDone, title, hint }: { isDone: boolean; title: string; hint: string }) {
  return (
    <li class="setup-step" data-done={isDone}>
      <span class="setup-tick" aria-hidden="true">
        {isDone && <Icon name="check" size={14} />}
      </span>
      <span class="who">
        <span class="who-name">{title}</span>
        {!isDone && <span class="dim small">{hint}</span>}
      </span>
      <span class="unseen">{isDone ? t('Done') : t('To do')}</span>
    </li>
  )
}
