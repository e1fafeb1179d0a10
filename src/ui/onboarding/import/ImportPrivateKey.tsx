import { useState } from 'preact/hooks'
import type { WalletError } from '../../../errors.ts'
import { plural, t } from '../../../i18n/translate.ts'
import { FormPage } from '../../components/FormPage.tsx'
import { PasswordField } from '../../components/PasswordField.tsx'
import { useQuery } from '../../hooks/useQuery.ts'
import { useStores } from '../../hooks/useStore.ts'
import { WholeAddress } from './ConfirmAddress.tsx'
import type { BringProps } from './ImportForm.tsx'

/** A private key, and the account that it opens, before anything is done with it. */
export function BringKey({ onBrought, isBusy = false, error, ...page }: BringProps) {
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
        {t('It is for one account, and no recovery phrase brings it back: keep a copy of it.')}
      </p>
      <PasswordField
        label={t('Private key')}
        autocomplete="off"
        isFirst
        value={text}
        onInput={setText}
        fault={isNoKey ? sayNoKey(unread) : undefined}
        hint={t('64 digits from 0 to 9 and a to f.')}
      />
      {found && <WholeAddress address={found.address} />}
    </FormPage>
  )
}

function sayNoKey({ facts: { digits } }: WalletError): string {
  return digits === undefined
    ? t('This is not a valid private key. One has 64 digits from 0 to 9 and a to f.')
    : plural(Number(digits), '{count} digit of 64.', '{count} digits of 64.')
}
