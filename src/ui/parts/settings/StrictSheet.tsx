import { useState } from 'preact/hooks'
import { t } from '../../../language/translate.ts'
import { useStores } from '../../hooks/use.ts'
import { useTask } from '../../hooks/useTask.ts'
import { Note } from '../Note.tsx'
import { PasswordField } from '../PasswordField.tsx'
import { Sheet } from '../Sheet.tsx'
import { usePasswordFault } from '../secrets/usePasswordFault.ts'

/** Swaps are less safe without strict reading of their calldata: who turns it off says the password once more. */
export function StrictSheet({ onClose }: { onClose(): void }) {
  const { account, settings } = useStores()
  const [password, setPassword] = useState('')
  const turnOff = useTask(async () => {
    await account.unlock(password)
    await settings.save({ strictCalldata: false })
    onClose()
  })
  const { fault, wait } = usePasswordFault(turnOff.error)
  const isReady = password !== '' && !turnOff.isRunning && wait === undefined
  return (
    <Sheet title={t('Allow short entry points?')} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) turnOff.run()
        }}
      >
        <StrictNote />
        <PasswordField
          label={t('Password')}
          autocomplete="current-password"
          isFirst
          value={password}
          onInput={setPassword}
          fault={fault}
        />
        <button type="submit" class="main num" disabled={!isReady}>
          {wait ?? (turnOff.isRunning ? t('Checking…') : t('Allow'))}
        </button>
      </form>
    </Sheet>
  )
}

export function StrictNote() {
  return (
    <Note>
      {t(
        'Short entry points do not name everything. The wallet then has your node’s word alone for what a swap does.',
      )}
    </Note>
  )
}
