import { findPublicChain } from '../../domain/network/chains.ts'
import { getExplorer } from '../../domain/network/explorer.ts'
import { builtInFeeLimits } from '../../domain/network/feeLimits.ts'
import { formatExact } from '../../domain/token/amount.ts'
import { t } from '../../i18n/translate.ts'
import { advancedFields, hasAdvancedValues, versionsFor } from '../../state/networks/networkForm.ts'
import { Disclosure } from '../components/Disclosure.tsx'
import { RadioGroup } from '../components/fields/RadioGroup.tsx'
import { type FormFields, type NetworkFieldsProps, TextField, UrlField } from './NetworkFields.tsx'

/** Open if a field is set or invalid. */
export function AdvancedFields(props: NetworkFieldsProps) {
  const { network, texts, faults } = props
  const isFaulty = advancedFields.some((name) => faults[name] !== undefined)
  return (
    <Disclosure title={t('Advanced')} isOpen={isFaulty || hasAdvancedValues(network, texts)}>
      <div class="network-advanced">
        <Fields {...props} />
      </div>
    </Disclosure>
  )
}

function Fields({ network, ...form }: NetworkFieldsProps) {
  const limits = builtInFeeLimits(network.chainId)
  return (
    <>
      <UrlField {...form} name="spareRpcUrl" label={t('Backup RPC')} />
      <RadioGroup<'6.1' | '3.0'>
        legend={t('API version')}
        options={versionsFor(network).map((value) => ({ value, label: value }))}
        value={form.texts.serviceVersion}
        onChange={form.edit('serviceVersion')}
      />
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
      {findPublicChain(network.chainId) === undefined && <UniswapFields {...form} />}
    </>
  )
}

function UniswapFields(form: FormFields) {
  return (
    <>
      <TextField {...form} name="wrapped" label={t('Wrapped native token')} placeholder="0x…" />
      <TextField {...form} name="v3Factory" label={t('Uniswap V3 factory')} placeholder="0x…" />
      <TextField {...form} name="quoter" label={t('Uniswap QuoterV2')} placeholder="0x…" />
      <TextField
        {...form}
        name="swapRouter"
        label={t('Uniswap SwapRouter02')}
        placeholder="0x…"
        hint={t('With these four addresses, Sluice can swap through Uniswap pools on this network.')}
      />
    </>
  )
}
