import type { ComponentProps } from 'preact'
import type { Network } from '../../domain/network/network.ts'
import type { NetworkFormValues } from '../../domain/network/networkTexts.ts'
import { t } from '../../i18n/translate.ts'
import { Field } from '../components/fields/Field.tsx'
import type { NetworkErrors } from './validateNetwork.ts'

export type EditNetwork = <Name extends keyof NetworkFormValues>(
  name: Name,
) => (value: NetworkFormValues[Name]) => void

export type FormFields = { texts: NetworkFormValues; faults: NetworkErrors; edit: EditNetwork }
export type NetworkFieldsProps = FormFields & { network: Network }

export function NameFields(form: FormFields) {
  return (
    <>
      <TextField {...form} name="name" label={t('Name')} />
      <TextField
        {...form}
        name="symbol"
        label={t('Native token')}
        hint={t('Symbol of the network’s native token')}
      />
    </>
  )
}

export function RpcField(form: FormFields) {
  return <UrlField {...form} name="rpcUrl" label={t('RPC URL')} />
}

type TextProps = FormFields & { name: Exclude<keyof NetworkFormValues, 'serviceVersion'> } & Pick<
    ComponentProps<typeof Field>,
    'label' | 'hint' | 'type' | 'inputMode' | 'placeholder'
  >

export function TextField({ name, texts, faults, edit, ...field }: TextProps) {
  return <Field {...field} autocomplete="off" value={texts[name]} onInput={edit(name)} fault={faults[name]} />
}

export function UrlField(props: TextProps) {
  return <TextField inputMode="url" placeholder="https://" {...props} />
}
