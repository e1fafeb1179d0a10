import { addressIn } from '../../../domain/address/typedAddress.ts'
import { t } from '../../../i18n/translate.ts'
import { Field } from '../../components/Field.tsx'
import { FormPage } from '../../components/FormPage.tsx'
import { useUnsavedEdits } from '../../hooks/useKept.ts'
import { validateAddress } from '../../messages/validation.ts'
import { WholeAddress } from './ConfirmAddress.tsx'
import type { BringProps } from './ImportForm.tsx'

/** `isAccepted`: the address was handed on to the next step (screens/Import.tsx). */
export type WatchOnlyDraft = { address: string; isAccepted: boolean }
export const watchOnlyDraft = 'watched'

/** An address to look at. */
export function BringAddress({ onBrought, isBusy = false, ...page }: BringProps) {
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
      {address && <WholeAddress address={address} />}
    </FormPage>
  )
}
