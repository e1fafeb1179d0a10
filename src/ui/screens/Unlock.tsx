import { useState } from 'preact/hooks'
import { isOver } from '../../domain/activity/intent.ts'
import { t, tx } from '../../language/translate.ts'
import { shortOrigin } from '../format/origin.ts'
import { use, useStores } from '../hooks/use.ts'
import { useTask } from '../hooks/useTask.ts'
import { later } from '../later.tsx'
import { Mark } from '../parts/Mark.tsx'
import { PasswordField } from '../parts/PasswordField.tsx'
import { usePasswordFault } from '../parts/secrets/usePasswordFault.ts'

const Reset = later(() => import('./Reset.tsx').then(({ Reset }) => Reset))

/** The password, please. */
export function Unlock() {
  const { account, swap, approvals, purpose } = useStores()
  const waits = use(swap, ({ swaps }) => swaps.some((one) => !isOver(one)))
  const asker = use(approvals, ({ shown }) => shown?.origin)
  const [password, setPassword] = useState('')
  const [isForgotten, setForgotten] = useState(false)
  const unlock = useTask(account.unlock)
  const { fault, wait } = usePasswordFault(unlock.error)
  const isReady = password !== '' && !unlock.isRunning && wait === undefined
  if (isForgotten) return <Reset onBack={() => setForgotten(false)} />
  return (
    <main class="hero">
      <div class="hero-words">
        <Mark size={72} />
        <h1>{t('Welcome back')}</h1>
        {purpose === 'requests' && asker !== undefined ? (
          <p class="asker">
            {tx('{site} asks for something. Unlock to see it.', {
              site: <strong>{shortOrigin(asker)}</strong>,
            })}
          </p>
        ) : (
          <p class="dim">{waits ? t('Unlock to follow your swap.') : t('Your wallet is locked.')}</p>
        )}
      </div>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) unlock.run(password)
        }}
      >
        <PasswordField
          label={t('Password')}
          autocomplete="current-password"
          isFirst
          value={password}
          onInput={setPassword}
          fault={fault}
        />
        <button class="main num" type="submit" disabled={!isReady}>
          {wait ?? (unlock.isRunning ? t('Unlocking…') : t('Unlock'))}
        </button>
        <button type="button" class="plain" onClick={() => setForgotten(true)}>
          {t('Forgot password?')}
        </button>
      </form>
    </main>
  )
}
