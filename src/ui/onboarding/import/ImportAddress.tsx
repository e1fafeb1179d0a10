import { addressIn } from '../../../domain/address/typedAddress.ts'
import { t } from '../../../i18n/translate.ts'
import { FormPage } from '../../components/FormPage.tsx'
import { Field } from '../../components/fields/Field.tsx'
import { useUnsavedEdits } from '../../hooks/data/useUnsavedEdits.ts'
import { validateAddress } from '../../messages/errors/validation.ts'
import { ConfirmAddress } from './ConfirmAddress.tsx'
import type { ImportFormProps } from './importMethods.ts'

/** `isAccepted`: confirmed for the next step (ImportSteps.tsx). */
export type WatchOnlyDraft = { address: string; isAccepted: boolean }
export const watchOnlyDraft = 'watched'

export function ImportAddress({ onBrought, isBusy = false, ...page }: ImportFormProps) {
  const { edits, edit } = useUnsavedEdits<WatchOnlyDraft>(watchOnlyDraft)
  const { address: text = '' } = edits
  const fault = validateAddress(text)
  const address = fault === undefined ? addressIn(text) : undefined
  return (
    <FormPage
      title={t('Watch an address')}
      isReady={address !== undefined && !isBusy}
      onSubmit={() => address && onBrought({ kind: 'watched', address })}
      {...page}
    >
      <p class="dim">
        {t('See this account’s balances and quotes. You can’t sign anything without its private key.')}
      </p>
      <Field
        label={t('Address')}
        placeholder="0x"
        autocomplete="off"
        isFirst
        value={text}
        onInput={(typed) => edit({ address: typed })}
        fault={fault}
        hint={t('Compare every character: malware can replace the address you copied.')}
      />
      {address && <ConfirmAddress address={address} />}
    </FormPage>
  )
}
