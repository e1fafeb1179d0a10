import { useEffect, useRef, useState } from 'preact/hooks'
import { WalletError } from '../../../errors.ts'
import { t } from '../../../i18n/translate.ts'
import { FormPage } from '../../components/FormPage.tsx'
import { PasswordField } from '../../components/fields/PasswordField.tsx'
import { useMutation } from '../../hooks/data/useMutation.ts'
import { useStores } from '../../hooks/data/useStore.ts'
import { useId } from '../../hooks/useId.ts'
import { useMessage } from '../../messages/useMessages.ts'
import type { ImportFormProps } from './importMethods.ts'
import '../../style/lazy/importWallet.css'

const maxBytes = 100_000

/** Imports an encrypted JSON keystore. */
export function ImportKeystore({ onBrought, isBusy = false, ...page }: ImportFormProps) {
  const { account } = useStores()
  const [text, setText] = useState('')
  const [password, setPassword] = useState('')
  const id = useId()

  const isHere = useRef(true)
  useEffect(
    () => () => {
      isHere.current = false
    },
    [],
  )

  const open = useMutation(async () => {
    // Paints the busy state before the slow decryption.
    await painted()
    const privateKey = await account.openKeystore(text, password)
    // The user may have gone back.
    if (isHere.current) onBrought({ kind: 'key', privateKey })
  })
  const take = useMutation(async (file: File | undefined) => {
    if (file === undefined) return
    open.forget()
    if (file.size > maxBytes) {
      throw new WalletError('invalid-input', 'This file is too long for a keystore.', { why: 'no-keystore' })
    }
    setText(await file.text())
  })
  const isWrongPassword = open.error?.code === 'wrong-password'
  const fault = useMessage(open.error ?? take.error)
  return (
    <FormPage
      title={t('Keystore file')}
      isReady={text.trim() !== '' && !open.isRunning && !isBusy}
      onSubmit={() => open.run()}
      {...page}
    >
      <p class="dim">{t('The encrypted JSON file (version 3) that other wallets export.')}</p>
      <div class="field">
        <label for={`${id}-file`}>{t('File')}</label>
        <input
          id={`${id}-file`}
          class="file"
          type="file"
          accept=".json,application/json,text/plain,*/*"
          onChange={(event) => take.run(event.currentTarget.files?.[0])}
        />
      </div>
      <div class="field">
        <label for={id}>{t('Or paste its contents')}</label>
        <textarea
          id={id}
          class="paste"
          rows={4}
          autocomplete="off"
          spellcheck={false}
          value={text}
          aria-invalid={fault !== undefined && !isWrongPassword}
          aria-describedby={`${id}-line`}
          onInput={(event) => {
            setText(event.currentTarget.value)
            take.forget()
            open.forget()
          }}
        />
        <p id={`${id}-line`} class="line line-bad" role="alert">
          {isWrongPassword ? '' : fault}
        </p>
      </div>
      <PasswordField
        label={t('Keystore password')}
        autocomplete="off"
        value={password}
        onInput={setPassword}
        fault={isWrongPassword ? fault : undefined}
        hint={t('The password you set when you exported the file')}
      />
      <div role="status">
        {open.isRunning && (
          <>
            <p class="dim small">{t('Decrypting the file… This can take a few seconds.')}</p>
            <div class="working" aria-hidden="true" />
          </>
        )}
      </div>
    </FormPage>
  )
}

function painted(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}
