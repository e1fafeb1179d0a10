import { useState } from 'preact/hooks'
import type { TransferPreview, TransferRequest } from '../../domain/activity/transfer.ts'
import { simulationRisks } from '../../domain/dapp/risks/callRisks.ts'
import { encode } from '../../domain/json.ts'
import type { Network } from '../../domain/network/network.ts'
import type { FeeSpeed } from '../../domain/swap/swap.ts'
import { type Address, isNative } from '../../domain/token/token.ts'
import { toPastPrices } from '../../domain/value/price.ts'
import { t } from '../../i18n/translate.ts'
import type { OwnAccount } from '../../protocol.ts'
import type { Send, SendStage } from '../../state/send/send.ts'
import { AccountRow } from '../components/address/AccountRow.tsx'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { ErrorWhat } from '../components/alerts/ErrorWhat.tsx'
import { Warning } from '../components/alerts/Warning.tsx'
import { Checkbox } from '../components/fields/Checkbox.tsx'
import { ConfirmButton } from '../components/fields/ConfirmButton.tsx'
import { leadTo } from '../components/fields/leadTo.ts'
import { Page } from '../components/Page.tsx'
import { Row } from '../components/Row.tsx'
import { TokenIcon } from '../components/TokenIcon.tsx'
import { Value } from '../components/Value.tsx'
import { AddressWarnings } from '../contacts/AddressWarnings.tsx'
import { FeeRow } from '../fees/FeeRow.tsx'
import { SpeedSheet } from '../fees/SpeedSheet.tsx'
import { formatSymbol } from '../format/address.ts'
import { formatAmount, formatInteger } from '../format/numbers.ts'
import { useNames } from '../hooks/data/useContacts.ts'
import { useStores } from '../hooks/data/useStore.ts'
import { useSheet } from '../hooks/useSheet.ts'
import { formatFeeWarning } from '../messages/feeWarnings.ts'
import { formatRisk } from '../messages/risks.ts'
import { useRecipientWords } from '../messages/useRecipientNotices.ts'
import { SimulatedChanges } from '../swap/review/simulation/SimulatedChanges.tsx'
import { Lookalikes } from '../tokens/Lookalikes.tsx'
import { TokenOrigin } from '../tokens/TokenOrigin.tsx'
import { KnownRecipient } from './KnownRecipient.tsx'
import '../style/lazy/swapReview.css'

type Props = { send: Send; stage: Stage; account: OwnAccount; network: Network }
type Stage = Exclude<SendStage, { at: 'form' } | { at: 'sent' }>
type ReviewedStage = Extract<SendStage, { at: 'review' }>

export function SendReview({ send, stage, account, network }: Props) {
  const { plan } = stage
  const shown = 'preview' in stage ? stage : stage.at === 'preparing' ? stage.before : undefined
  const nameOf = useNames()
  const words = useRecipientWords(
    shown && { to: plan.to, token: plan.token, account: plan.account, facts: shown.facts },
  )
  const grave = words.filter(({ tone }) => tone === 'grave')
  const unseen = shown && unseenRisk(shown)
  const doubt = shown?.preview.feeDoubt
  const ofFee = doubt && formatFeeWarning(doubt, network.coin.symbol)
  const stated = [unseen, ofFee].filter(Boolean).join(' ')
  const risk = [...grave.map((one) => one.words), stated].join(' ').trim()
  // A tick holds for the warnings it was set for.
  const [ticked, setTicked] = useState('')
  const act = toAct(stage)
  const { prices } = useStores()
  const mayConfirm = risk === '' || ticked === risk
  const mayAct = act.does === 'prepare' || (act.does === 'confirm' && mayConfirm)
  const { chainId, token } = plan
  const confirm = () => send.confirm(toPastPrices({ price: prices.price(chainId, token.address) }).price)
  const symbol = formatSymbol(token)
  const amount = shown?.ask.amount ?? (plan.amount === 'most' ? undefined : plan.amount)
  const whole = amount === undefined ? undefined : `${formatInteger(amount, token.decimals)} ${symbol}`
  const isLong = whole !== undefined && whole.length > longestLarge
  return (
    <Page
      title={t('Review')}
      onBack={stage.at === 'confirming' ? undefined : send.leave}
      foot={
        <>
          {risk !== '' && (
            <div class="request-note">
              <Checkbox
                label={`${stated} ${t('I understand the risk and want to continue.')}`.trim()}
                isTicked={ticked === risk}
                onTick={(isTicked) => setTicked(isTicked ? risk : '')}
              />
            </div>
          )}
          <ConfirmButton
            content={[shown && reviewedSend(shown, account.address), act.label, mayAct].join()}
            isDanger={risk !== ''}
            isDisabled={!mayAct}
            isBusy={act.does === undefined}
            todo={
              act.does === 'confirm' && !mayConfirm
                ? leadTo(t('Tick the box to continue'), '.page-foot .request-note')
                : undefined
            }
            onPress={() => (act.does === 'confirm' ? confirm() : send.prepare(plan))}
          >
            {act.label}
          </ConfirmButton>
        </>
      }
    >
      {'error' in stage && <ErrorMessage error={stage.error} />}
      <section class="panel sides">
        <div class="side">
          <TokenIcon token={token} size={36} />
          <span class="side-words">
            <span class="dim small">{plan.amount === 'most' ? t('You send (max)') : t('You send')}</span>
            <strong class={`num side-amount review-expected ${isLong ? 'review-long' : ''}`}>
              {whole ?? <span class="bone" />}
            </strong>
            <span class="dim small review-value">
              <Value amount={amount} token={token} chainId={network.chainId} />
            </span>
            <TokenOrigin address={token.address} token={token} />
          </span>
        </div>
      </section>
      <Lookalikes chainId={network.chainId} tokens={[token]} />
      <KnownRecipient address={plan.to} name={nameOf(plan.to)} ensName={plan.name} />
      <AddressWarnings words={words} />
      {stage.at !== 'unprepared' && (
        <Terms account={account} network={network} preview={shown?.preview} speed={plan.speed} send={send} />
      )}
      {shown && <SimulatedChanges title={t('Estimated changes')} simulation={shown.preview.simulation} />}
      {shown?.preview.arrives !== undefined && shown.preview.arrives < shown.ask.amount && (
        <Warning>
          {t('This token charges a transfer fee. The recipient gets {amount}.', {
            amount: `${formatAmount(shown.preview.arrives, token.decimals)} ${symbol}`,
          })}
        </Warning>
      )}
      {stage.at === 'review' && stage.trouble && (
        <Warning>
          <ErrorWhat error={stage.trouble} /> {t('These numbers may be outdated.')}
        </Warning>
      )}
    </Page>
  )
}

/** Longer amounts get a smaller font. */
const longestLarge = 15

/** Warning about an unsimulated transfer. Undefined for native transfers to accounts without code. */
function unseenRisk({
  ask,
  facts,
  preview: { simulation },
}: Pick<ReviewedStage, 'ask' | 'facts' | 'preview'>) {
  if (simulation.status === 'succeeds') {
    const grave = simulationRisks(simulation, true).find(({ isGrave }) => isGrave)
    return grave && formatRisk(grave, () => undefined)
  }
  if (isNative(ask.token) && !facts.isContract) return undefined
  return t('This couldn’t be checked. It could take any of your assets.')
}

type TermsProps = Pick<Props, 'send' | 'network' | 'account'> & {
  preview: TransferPreview | undefined
  speed: FeeSpeed
}

function Terms({ account, network, preview, speed, send }: TermsProps) {
  const [asked, ask] = useSheet<'speed'>(preview === undefined)
  const { chainId } = network
  const coin = network.coin.symbol
  return (
    <>
      <dl class="rows panel review-rows">
        <AccountRow name={t('From')} account={account} />
        <Row name={t('Network')}>{network.name}</Row>
        <FeeRow cost={preview} speed={speed} coin={coin} chainId={chainId} onPress={() => ask('speed')} />
      </dl>
      {preview && asked && (
        <SpeedSheet
          review={preview}
          speed={speed}
          coin={coin}
          chainId={chainId}
          onChoose={send.choose}
          onClose={() => ask(undefined)}
        />
      )}
    </>
  )
}

type Act = { label: string; does: 'confirm' | 'prepare' | undefined }

function toAct(stage: Stage): Act {
  switch (stage.at) {
    case 'preparing':
      return { label: stage.before ? t('Send') : t('Checking the transfer…'), does: undefined }
    case 'unprepared':
      return { label: t('Try again'), does: 'prepare' }
    case 'review':
      return { label: t('Send'), does: 'confirm' }
    case 'confirming':
      return { label: t('Signing…'), does: undefined }
    case 'refused':
      // A stopped worker may have taken it: only the same one may be submitted again.
      return stage.error.code === 'worker-stopped'
        ? { label: t('Try again'), does: 'confirm' }
        : { label: t('Review again'), does: 'prepare' }
  }
}

type Shown = { ask: TransferRequest; preview: Pick<TransferPreview, 'feeCap' | 'simulation' | 'arrives'> }

/**
 * Encodes everything the user confirms in a transfer. The fee is rounded as shown, as it changes with every
 * block.
 */
export function reviewedSend({ ask, preview }: Shown, account: Address): string {
  const { feeCap, simulation, arrives = null } = preview
  return encode([account, ask, formatAmount(feeCap, 18), arrives, simulation])
}
