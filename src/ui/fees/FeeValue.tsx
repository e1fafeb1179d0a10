import type { NetworkFee } from '../../domain/network/networkFee.ts'
import { useFeeFormat } from './useFeeFormat.ts'

type Props = {
  /** Without `feeCap` only the estimate is shown, without `expectedFee` only the maximum. */
  fee: Partial<NetworkFee>
  coin: string
  chainId: number
}

/** A network fee, the same wherever one is shown: "≈ $0.48, max $1.15". Its title has the native amounts. */
export function FeeValue({ fee, coin, chainId }: Props) {
  const { text, native } = useFeeFormat(coin, chainId).of(fee)
  return (
    <span class="num" title={native}>
      {text}
    </span>
  )
}
