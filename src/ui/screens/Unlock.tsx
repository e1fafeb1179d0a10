import { useState } from 'preact/hooks'
import { t, tx } from '../../language/translate.ts'
import { isOpen } from '../../state/swap.ts'
import { shortOrigin } from '../origin.ts'
import { Field } from '../parts/Field.tsx'
import { Mark } from '../parts/Mark.tsx'
import { use, useStores, useTask } from '../use.ts'
import { useSaid } from '../useWords.ts'

/** The password, please. */
export function Unlock() {
  const { account, swap, approvals, purpose } = useStores()
  const waits = use(swap, ({ swaps }) => swaps.some(isOpen))
  const asker = use(approvals, ({ shown }) => shown?.origin)
  const [password, setPassword] = useState('')
  const unlock = useTask(account.unlock)
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
          if (password !== '') unlock.run(password)
        }}
      >
        <Field
          label={t('Password')}
          type="password"
          autocomplete="current-password"
          isFirst
          value={password}
          onInput={setPassword}
          fault={useSaid(unlock.error)}
        />
        <button class="main" type="submit" disabled={password === '' || unlock.isRunning}>
          {unlock.isRunning ? t('Unlocking…') : t('Unlock')}
        </button>
      </form>
    </main>
  )
}
