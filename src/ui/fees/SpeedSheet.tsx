import { useState } from 'preact/hooks'
import { expectedFeeAt } from '../../domain/network/networkFee.ts'
import type { FeeSpeed, Review } from '../../domain/swap/swap.ts'
import { t } from '../../i18n/translate.ts'
import { Warning } from '../components/alerts/Warning.tsx'
import { Sheet } from '../components/Sheet.tsx'
import { FeeFields } from './FeeFields.tsx'
import { formatGwei, parseFees } from './gwei.ts'
import { NativeMax } from './NativeMax.tsx'
import { SpeedRow } from './SpeedRow.tsx'
import { speedName, speeds } from './speeds.ts'
import { useFeeFormat } from './useFeeFormat.ts'

type Props = {
  review: Pick<
    Review,
    'speeds' | 'isLegacy' | 'gas' | 'expectedGas' | 'baseFeePerGas' | 'l1Fee' | 'networkFee' | 'feeCap'
  >
  speed: FeeSpeed
  coin: string
  chainId: number
  onChoose(speed: FeeSpeed): void
  onClose(): void
}

/** Shows at each speed the fee that its review would show. */
export function SpeedSheet({ review, speed, coin, chainId, onChoose, onClose }: Props) {
  const { gas, l1Fee } = review
  const format = useFeeFormat(coin, chainId)
  const custom = typeof speed === 'string' ? undefined : speed
  const [typed, setTyped] = useState({
    most: custom ? formatGwei(custom.maxFeePerGas) : '',
    tip: custom ? formatGwei(custom.maxPriorityFeePerGas) : '',
  })
  const parsed = parseFees(typed, review.speeds.fast, undefined, review.speeds.normal.maxPriorityFeePerGas)
  const fees = 'maxFeePerGas' in parsed ? parsed : undefined
  const cost =
    fees &&
    format.of({
      expectedFee: expectedFeeAt(review, fees),
      feeCap: capAt(review, gas * fees.maxFeePerGas + l1Fee),
    })
  const choose = (chosen: FeeSpeed) => {
    onChoose(chosen)
    onClose()
  }
  return (
    <Sheet title={t('Network fee')} onClose={onClose}>
      <div class="panel group">
        {speeds.map((name) => (
          <SpeedRow
            key={name}
            name={speedName(name)}
            gwei={formatGwei(review.speeds[name].maxFeePerGas)}
            cost={format.of({
              expectedFee: review.speeds[name].expectedFee,
              feeCap: capAt(review, review.speeds[name].networkFee),
            })}
            isChosen={speed === name}
            onChoose={() => choose(name)}
          />
        ))}
      </div>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (fees) choose(fees)
        }}
      >
        <FeeFields
          typed={typed}
          faults={'maxFeePerGas' in parsed ? {} : parsed}
          hints={{
            most: formatGwei(review.speeds.normal.maxFeePerGas),
            tip: formatGwei(review.speeds.normal.maxPriorityFeePerGas),
          }}
          isLegacy={review.isLegacy ?? false}
          onType={setTyped}
        />
        {fees && fees.maxFeePerGas < review.speeds.slow.maxFeePerGas && (
          <Warning>
            {t('This is below the market fee. Your transaction may stay pending for a long time.')}
          </Warning>
        )}
        {format.hasValues && <NativeMax cost={cost} />}
        <button class="main" type="submit" disabled={fees === undefined}>
          {cost ? t('Apply ({fee})', { fee: cost.text }) : t('Apply')}
        </button>
      </form>
    </Sheet>
  )
}

/** Returns the fee cap at another speed, scaled by the review's ratio of `feeCap` to `networkFee`. */
export function capAt({ networkFee, feeCap }: Pick<Review, 'networkFee' | 'feeCap'>, fee: bigint): bigint {
  return networkFee === 0n ? fee : (fee * feeCap) / networkFee
}
