import { useState } from 'preact/hooks'
import type { WalletError } from '../../../errors.ts'
import { plural, t } from '../../../i18n/translate.ts'
import { FormPage } from '../../components/FormPage.tsx'
import { PasswordField } from '../../components/fields/PasswordField.tsx'
import { useQuery } from '../../hooks/data/useQuery.ts'
import { useStores } from '../../hooks/data/useStore.ts'
import { ConfirmAddress } from './ConfirmAddress.tsx'
import type { ImportFormProps } from './importMethods.ts'

export function ImportPrivateKey({ onBrought, isBusy = false, error, ...page }: ImportFormProps) {
  const { account } = useStores()
  const [text, setText] = useState('')
  const read = async () => {
    const privateKey = await account.readPrivateKey(text)
    return { privateKey, address: await account.addressOf(privateKey) }
  }
  const { value: found, error: unread } = useQuery(() => (text === '' ? undefined : read()), [account, text])
  const isNoKey = unread?.code === 'invalid-input'
  return (
    <FormPage
      title={t('Private key')}
      isReady={found !== undefined && !isBusy}
      onSubmit={() => found && onBrought({ kind: 'key', privateKey: found.privateKey })}
      error={isNoKey ? error : (unread ?? error)}
      {...page}
    >
      <p class="dim">
        {t(
          'A private key imports a single account. No recovery phrase can restore it, so keep a copy of the key.',
        )}
      </p>
      <PasswordField
        label={t('Private key')}
        autocomplete="off"
        isFirst
        value={text}
        onInput={setText}
        fault={isNoKey ? formatNoKey(unread) : undefined}
        hint={t('64 characters: 0–9 and a–f')}
      />
      {found && <ConfirmAddress address={found.address} />}
    </FormPage>
  )
}

function formatNoKey({ facts: { digits } }: WalletError): string {
  return digits === undefined
    ? t('Invalid private key. It must have 64 characters: 0–9 and a–f.')
    : plural(Number(digits), '{count} of 64 characters', '{count} of 64 characters')
}
