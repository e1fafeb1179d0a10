import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { t } from '../../i18n/translate.ts'
import { HoldButton } from '../components/fields/HoldButton.tsx'
import { PasswordField } from '../components/fields/PasswordField.tsx'
import { Page } from '../components/Page.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { usePasswordError } from './usePasswordError.ts'

type Props = {
  title: string
  act: string
  pressed: string
  onBack(): void
  onProve(password: string): Promise<unknown>
  children: ComponentChildren
}

/** Requires the password and a held button. */
export function PasswordGate({ title, act, pressed, onBack, onProve, children }: Props) {
  const [password, setPassword] = useState('')
  const foot = useRef<HTMLDivElement>(null)
  const [isTyped, setTyped] = useState(false)
  const prove = useMutation(async () => {
    setTyped(false)
    await onProve(password)
    setPassword('')
  })
  const { fault, wait } = usePasswordError(prove.error)
  return (
    <form
      class="fill"
      // Enter focuses the hold button.
      onSubmit={(event) => {
        event.preventDefault()
        foot.current?.querySelector('button')?.focus()
      }}
    >
      <Page
        title={title}
        onBack={onBack}
        foot={
          <div ref={foot}>
            <HoldButton
              label={wait ?? (prove.isRunning ? t('Checking…') : act)}
              pressed={wait ?? (prove.isRunning ? t('Checking…') : pressed)}
              agree={t('No one else can see my screen')}
              isDisabled={password === '' || prove.isRunning || wait !== undefined}
              onHeld={() => prove.run()}
            />
          </div>
        }
      >
        {children}
        <PasswordField
          label={t('Password')}
          autocomplete="current-password"
          isFirst
          value={password}
          onInput={(text) => {
            setPassword(text)
            setTyped(true)
          }}
          // The error belongs to the previous attempt.
          fault={isTyped ? undefined : fault}
        />
      </Page>
    </form>
  )
}
