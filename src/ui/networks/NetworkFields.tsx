import type { ComponentProps } from 'preact'
import { getExplorer } from '../../domain/network/explorer.ts'
import { builtInFeeLimits } from '../../domain/network/feeLimits.ts'
import type { Network } from '../../domain/network/network.ts'
import type { NetworkFormValues } from '../../domain/network/networkTexts.ts'
import { formatExact } from '../../domain/token/amount.ts'
import { t } from '../../i18n/translate.ts'
import { versionsFor } from '../../state/networks/networkForm.ts'
import { Field } from '../components/fields/Field.tsx'
import { PasswordField } from '../components/fields/PasswordField.tsx'
import { RadioGroup } from '../components/fields/RadioGroup.tsx'
import type { NetworkErrors } from './validateNetwork.ts'

export type EditNetwork = <Name extends keyof NetworkFormValues>(
  name: Name,
) => (value: NetworkFormValues[Name]) => void

type Form = { texts: NetworkFormValues; faults: NetworkErrors; edit: EditNetwork }
type Props = Form & { network: Network }

export function NameFields(form: Form) {
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

export function ServiceFields({ network, ...form }: Props) {
  const { texts, edit } = form
  return (
    <>
      <UrlField {...form} name="serviceUrl" label={t('Swap service URL')} />
      <RadioGroup<'6.1' | '3.0'>
        legend={t('API version')}
        options={versionsFor(network).map((value) => ({ value, label: value }))}
        value={texts.serviceVersion}
        onChange={edit('serviceVersion')}
      />
      <PasswordField
        label={t('API key')}
        autocomplete="off"
        value={texts.serviceKey}
        onInput={edit('serviceKey')}
      />
    </>
  )
}

export function RpcField(form: Form) {
  return <UrlField {...form} name="rpcUrl" label={t('RPC URL')} />
}

export function OtherFields({ network, ...form }: Props) {
  const limits = builtInFeeLimits(network.chainId)
  return (
    <>
      <UrlField {...form} name="spareRpcUrl" label={t('Backup RPC')} />
      <UrlField
        {...form}
        name="explorerUrl"
        label={t('Block explorer')}
        placeholder={getExplorer(network) ?? 'https://'}
      />
      <TextField
        {...form}
        name="router"
        label={t('Router')}
        placeholder={t('Known routers')}
        hint={t(
          'If set, Sluice only signs swaps through this contract. If empty, only through routers it knows.',
        )}
      />
      <TextField
        {...form}
        name="feeLimit"
        inputMode="decimal"
        label={t('Fee limit ({coin})', { coin: network.coin.symbol })}
        placeholder={formatExact(limits.total, 18)}
        hint={t('Sluice won’t sign anything that could cost more than this in network fees.')}
      />
      <TextField
        {...form}
        name="tipLimit"
        inputMode="decimal"
        label={t('Priority fee limit (gwei)')}
        placeholder={formatExact(limits.tip, 9)}
      />
    </>
  )
}

type TextProps = Form & { name: Exclude<keyof NetworkFormValues, 'serviceVersion'> } & Pick<
    ComponentProps<typeof Field>,
    'label' | 'hint' | 'type' | 'inputMode' | 'placeholder'
  >

function TextField({ name, texts, faults, edit, ...field }: TextProps) {
  return <Field {...field} autocomplete="off" value={texts[name]} onInput={edit(name)} fault={faults[name]} />
}

function UrlField(props: TextProps) {
  return <TextField inputMode="url" placeholder="https://" {...props} />
}
