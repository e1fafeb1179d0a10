import { useEffect, useState } from 'preact/hooks'
import { type Activity, isCancelling, waitingStep } from '../../domain/activity/activity.ts'
import { getChainId } from '../../domain/activity/intent.ts'
import {
  type Fees,
  type Replacement,
  type ReplacementKind,
  replacementAt,
  replacementFee,
  warnReplacement,
} from '../../domain/activity/replacement.ts'
import { encode } from '../../domain/json.ts'
import { getFeeLimits } from '../../domain/network/feeLimits.ts'
import { t } from '../../i18n/translate.ts'
import { createReplacing, type ReplacingState } from '../../state/activity/replacing.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Checkbox } from '../components/fields/Checkbox.tsx'
import { ConfirmButton } from '../components/fields/ConfirmButton.tsx'
import { Sheet } from '../components/Sheet.tsx'
import { FeeFields } from '../fees/FeeFields.tsx'
import { NativeMax } from '../fees/NativeMax.tsx'
import { SpeedRow } from '../fees/SpeedRow.tsx'
import { useFeeFormat } from '../fees/useFeeFormat.ts'
import { useNetwork } from '../hooks/data/useNetwork.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { formatFeeWarning } from '../messages/feeWarnings.ts'
import { type FeePreset, formatMinimum, parseReplaceFees, replaceOptions } from './replaceOptions.ts'

type Props = { entry: Activity; wish: ReplacementKind; onClose(): void }

/** `restore` replaces a cancellation with the original transaction. */
type Act = 'faster' | 'cancel' | 'restore'

export function ReplaceSheet({ entry, wish, onClose }: Props) {
  const { get, activity } = useStores()
  const replacing = get(createReplacing)
  const state = useStore(replacing, (now) => now)
  const chainId = getChainId(entry.intent)
  const network = useNetwork(chainId)
  const coin = network?.coin.symbol ?? ''
  const format = useFeeFormat(coin, chainId)
  const waiting = waitingStep(entry)
  const before = waiting?.fee
  const isCancellation = waiting !== undefined && isCancelling(waiting)
  const act: Act = wish === 'faster' && isCancellation ? 'restore' : wish
  // The choice survives repricing.
  const [choice, setChoice] = useState<Choice>({ speed: 'fast', most: '', tip: '' })
  useEffect(() => {
    replacing.ask(entry.intent.id, wish)
    return replacing.leave
  }, [replacing, entry.intent.id, wish])
  useEffect(() => {
    if (state.at === 'sent') onClose()
    // It may have become final unnoticed.
    if (state.at === 'failed') activity.refresh()
  }, [state.at])
  return (
    <Sheet title={toTitle(act)} onClose={onClose}>
      <p class="dim small">{explain(act)}</p>
      {before !== undefined && state.at !== 'failed' && (
        <p class="small">{formatBefore(isCancellation, format.cap(before))}</p>
      )}
      <Body
        state={state}
        act={act}
        coin={coin}
        chainId={chainId}
        choice={choice}
        onChoose={setChoice}
        onClose={onClose}
      />
    </Sheet>
  )
}

function toTitle(act: Act): string {
  switch (act) {
    case 'faster':
      return t('Speed up')
    case 'cancel':
      return t('Cancel transaction')
    case 'restore':
      return t('Keep transaction')
  }
}

function explain(act: Act): string {
  switch (act) {
    case 'faster':
      return t('Resends the same transaction with a higher fee. Only one will go through.')
    case 'cancel':
      return t(
        'Replaces it with an empty transfer to yourself, for a network fee. If the original confirms first, it can’t be cancelled.',
      )
    case 'restore':
      return t(
        'Resends the transaction with a higher fee to replace the cancellation. If the cancellation confirms first, the transaction won’t go through.',
      )
  }
}

function formatBefore(isCancellation: boolean, amount: string): string {
  return isCancellation
    ? t('Current max fee of the cancellation: {amount}', { amount })
    : t('Current max fee: {amount}', { amount })
}

function labelOfFees({ most, tip }: Pick<Choice, 'most' | 'tip'>, isLegacy: boolean): string {
  if (most !== '' && (isLegacy || tip !== '')) return t('Invalid fees')
  return isLegacy ? t('Enter a gas price') : t('Enter both fees')
}

function toLabel(act: Act, fee: string): string {
  switch (act) {
    case 'faster':
      return t('Speed up ({fee})', { fee })
    case 'cancel':
      return t('Cancel ({fee})', { fee })
    case 'restore':
      return t('Keep ({fee})', { fee })
  }
}

type Choice = { speed: FeePreset | 'custom'; most: string; tip: string }

type ChoiceProps = {
  act: Act
  coin: string
  chainId: number
  choice: Choice
  onChoose(choice: Choice): void
}

type BodyProps = ChoiceProps & { state: ReplacingState; onClose(): void }

function Body({ state, onClose, ...choice }: BodyProps) {
  const { get } = useStores()
  const replacing = get(createReplacing)
  switch (state.at) {
    case 'failed':
      return (
        <>
          <ErrorMessage error={state.error} />
          {state.error.code === 'already-mined' || state.error.code === 'invalid-input' ? (
            <button type="button" class="main" onClick={onClose}>
              {t('Close')}
            </button>
          ) : (
            <button type="button" class="main" onClick={replacing.again}>
              {t('Try again')}
            </button>
          )}
        </>
      )
    case 'priced':
    case 'sending':
      return (
        <Choose
          key={state.offer.replaces + state.offer.least.maxFeePerGas}
          state={state}
          {...choice}
          onConfirm={replacing.confirm}
        />
      )
    default:
      return (
        <p class="nothing" role="status">
          {t('Estimating fee…')}
        </p>
      )
  }
}

type ChooseProps = ChoiceProps & {
  state: Extract<ReplacingState, { offer: Replacement }>
  onConfirm(fees: Fees): void
}

function Choose({ state, act, coin, chainId, choice, onChoose, onConfirm }: ChooseProps) {
  const { offer } = state
  const { speed } = choice
  const options = replaceOptions(offer)
  const parsed = parseReplaceFees(choice, offer)
  const custom = 'maxFeePerGas' in parsed ? parsed : undefined
  const fees = speed === 'custom' ? custom : replacementAt(offer, speed)
  const isSending = state.at === 'sending'
  const [ticked, setTicked] = useState('')
  const network = useNetwork(chainId)
  const doubt = fees && network && warnReplacement(offer, fees, getFeeLimits(network))
  const risk = doubt ? formatFeeWarning(doubt, coin) : ''
  const format = useFeeFormat(coin, chainId)
  const costOf = (fees: Fees) => format.of(replacementFee(offer, fees))
  return (
    <form class="stack" onSubmit={(event) => event.preventDefault()}>
      {'error' in state && state.error && <ErrorMessage error={state.error} />}
      <div class="panel group">
        {options.map(({ name, fees, gwei, speeds }) => (
          <SpeedRow
            key={name}
            name={name}
            gwei={gwei}
            cost={costOf(fees)}
            isChosen={speeds.some((one) => one === speed)}
            onChoose={() => onChoose({ ...choice, speed: speeds[0] })}
          />
        ))}
      </div>
      <FeeFields
        typed={choice}
        faults={'maxFeePerGas' in parsed ? {} : parsed}
        hints={{
          most: formatMinimum(offer.least.maxFeePerGas),
          tip: formatMinimum(offer.least.maxPriorityFeePerGas),
        }}
        isLegacy={offer.isLegacy ?? false}
        onType={(typed) => onChoose({ ...typed, speed: 'custom' })}
      />
      {risk !== '' && (
        <Checkbox
          label={risk}
          isTicked={ticked === risk}
          onTick={(isTicked) => setTicked(isTicked ? risk : '')}
        />
      )}
      {format.hasValues && <NativeMax cost={fees && costOf(fees)} />}
      <ConfirmButton
        content={encode([act, offer, fees ?? null, ticked === risk])}
        isDanger={risk !== ''}
        isDisabled={fees === undefined || isSending || ticked !== risk}
        onPress={() => fees && onConfirm(fees)}
      >
        {isSending
          ? t('Sending…')
          : fees === undefined
            ? labelOfFees(choice, offer.isLegacy === true)
            : toLabel(act, costOf(fees).text)}
      </ConfirmButton>
    </form>
  )
}
