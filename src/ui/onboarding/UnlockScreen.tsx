import { useState } from 'preact/hooks'
import { hasOutcome } from '../../domain/activity/intent.ts'
import { t, tx } from '../../i18n/translate.ts'
import { Logo } from '../components/Logo.tsx'
import { shortOrigin } from '../format/origin.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { lazy } from '../lazy/lazy.tsx'
import { PasswordForm } from '../secrets/PasswordForm.tsx'

const ResetWallet = lazy(() => import('../settings/ResetWallet.tsx').then(({ ResetWallet }) => ResetWallet))

export function UnlockScreen() {
  const { account, swap, approvals, purpose } = useStores()
  const waits = useStore(swap, ({ swaps }) => swaps.some((one) => !hasOutcome(one)))
  const asker = useStore(approvals, ({ shown }) => shown?.origin)
  const [isForgotten, setForgotten] = useState(false)
  if (isForgotten) return <ResetWallet onBack={() => setForgotten(false)} />
  return (
    <main class="hero">
      <div class="hero-words">
        <Logo size={72} />
        <h1>{t('Welcome back')}</h1>
        {purpose === 'requests' && asker !== undefined ? (
          <p class="asker">
            {tx('{site} sent a request. Unlock to view it.', {
              site: <strong>{shortOrigin(asker)}</strong>,
            })}
          </p>
        ) : (
          <p class="dim">{waits ? t('Unlock to view your swap.') : t('Your wallet is locked.')}</p>
        )}
      </div>
      <div class="stack">
        <PasswordForm act={t('Unlock')} acting={t('Unlocking…')} isFirst onPassword={account.unlock} />
        <button type="button" class="plain" onClick={() => setForgotten(true)}>
          {t('Forgot password?')}
        </button>
      </div>
    </main>
  )
}
