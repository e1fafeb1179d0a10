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
        <span class="num" title={cost.native}>
          {cost.text}
        </span>
      ) : (
        <span class="bone" />
      )}
      {format.hasValues && <NativeMax cost={cost} />}
    </>
  )
}
