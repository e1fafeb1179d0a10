import { useState } from 'preact/hooks'
import { t } from '../../i18n/translate.ts'
import { PasswordField } from '../components/fields/PasswordField.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { usePasswordError } from './usePasswordError.ts'

type Props = {
  act: string
  acting: string
  isFirst?: boolean
  onPassword(password: string): Promise<unknown>
}

/** Asks for the password before an action. */
export function PasswordForm({ act, acting, isFirst = false, onPassword }: Props) {
  const [password, setPassword] = useState('')
  const task = useMutation(onPassword)
  const { fault, wait } = usePasswordError(task.error)
  const isReady = password !== '' && !task.isRunning && wait === undefined
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) task.run(password)
      }}
    >
      <PasswordField
        label={t('Password')}
        autocomplete="current-password"
        isFirst={isFirst}
        value={password}
        onInput={setPassword}
        fault={fault}
      />
      <button class="main num" type="submit" disabled={!isReady}>
        {wait ?? (task.isRunning ? acting : act)}
      </button>
    </form>
  )
}
