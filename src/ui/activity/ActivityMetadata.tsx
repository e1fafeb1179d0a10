import { type Activity, maxFee } from '../../domain/activity/activity.ts'
import { getChainId, hasOutcome, isSwap, isSwapIntent } from '../../domain/activity/intent.ts'
import type { Address } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { AddressGroups } from '../components/address/AddressGroups.tsx'
import { CopyButton } from '../components/fields/CopyButton.tsx'
import { Row } from '../components/Row.tsx'
import { formatAmount } from '../format/numbers.ts'
import { formatMoment } from '../format/time.ts'
import { useNames } from '../hooks/data/useContacts.ts'
import { useNetwork } from '../hooks/data/useNetwork.ts'

export function ActivityMetadata({ entry }: { entry: Activity }) {
  const { intent, createdAt, paid, steps } = entry
  const network = useNetwork(getChainId(intent))
  const coin = network?.coin.symbol ?? ''
  const origin = isSwap(entry) ? undefined : entry.intent.origin
  const fee = (wei: bigint) => `${formatAmount(wei, 18)} ${coin}`
  const estimate = isSwapIntent(intent) ? intent.shown?.networkFee : undefined
  // The step above already shows the fee.
  const isToldByStep = steps.length === 1 && steps[0]?.fee !== undefined
  const isWrap = steps.some(({ kind }) => kind === 'wrap' || kind === 'unwrap')
  return (
    <dl class="rows panel rows-wrap entry-facts">
      {createdAt > 0 && <Row name={t('Date')}>{formatMoment(createdAt)}</Row>}
      <Row name={t('Network')}>{network?.name ?? String(getChainId(intent))}</Row>
      {origin !== undefined && <Row name={t('Requested by')}>{origin}</Row>}
      <Row name={t('From')}>
        <Whole address={intent.account} of={t('the sender')} />
      </Row>
      {counterparties(entry, isWrap).map(({ name, address }) => (
        <Row key={name + address} name={name}>
          <Whole address={address} of={name} />
        </Row>
      ))}
      {estimate !== undefined && <Row name={t('Estimated fee')}>{fee(estimate)}</Row>}
      {paid > 0n && <Row name={t('Fee paid')}>{fee(paid)}</Row>}
      {!hasOutcome(entry) && !isToldByStep && <Row name={t('Network fee (max)')}>{fee(maxFee(entry))}</Row>}
    </dl>
  )
}

/** Contracts and spenders. Recipients are shown separately. */
function counterparties(entry: Activity, isWrap: boolean): { name: string; address: Address }[] {
  if (isSwap(entry)) {
    return [{ name: isWrap ? t('Contract') : t('Router'), address: entry.intent.router }]
  }
  const { purpose, calls } = entry.intent
  if (purpose?.kind === 'transfer') return []
  if (purpose?.kind === 'revoke') return [{ name: t('Spender'), address: purpose.spender }]
  const targets = [...new Set(calls.flatMap(({ to }) => to ?? []))]
  return targets.map((address) => ({ name: t('To'), address }))
}

function Whole({ address, of }: { address: Address; of: string }) {
  const name = useNames()(address)
  return (
    <>
      {name !== undefined && <span class="entry-name">{name}</span>}
      <CopyButton text={address} label={t('Copy address of {of}', { of })}>
        <AddressGroups address={address} />
      </CopyButton>
    </>
  )
}
