import type { NetworkFee } from '../../domain/network/networkFee.ts'
import { NativeMax } from './NativeMax.tsx'
import { useFeeFormat } from './useFeeFormat.ts'

type Props = {
  /** Undefined until known. Without `feeCap` only the estimate, without `expectedFee` only the maximum. */
  fee: Partial<NetworkFee> | undefined
  coin: string
  chainId: number
}

/** A network fee where one is accepted: "≈ $0.48, max $1.15", below it "Max 0.00028 ETH". */
export function FeeValue({ fee, coin, chainId }: Props) {
  const format = useFeeFormat(coin, chainId)
  const cost = fee && format.of(fee)
  return (
    <>
      {cost ? (
        // Keyed, so that the browser counts no text that moves to the other end of the line.
        <span key={cost.text} class="num" title={cost.native}>
          {cost.text}
        </span>
      ) : (
        <span key="bone" class="bone" />
      )}
      {format.hasValues ? (
        <NativeMax cost={cost} />
      ) : (
        format.awaitsValues &&
        (fee === undefined || fee.feeCap !== undefined) && <NativeMax cost={undefined} />
      )}
    </>
  )
}
