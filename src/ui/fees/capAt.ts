import type { Review } from '../../domain/swap/swap.ts'

/** Returns the fee cap at another speed, in the review's ratio of `feeCap` to `networkFee`. */
export function capAt({ networkFee, feeCap }: Pick<Review, 'networkFee' | 'feeCap'>, fee: bigint): bigint {
  return networkFee === 0n ? fee : (fee * feeCap) / networkFee
}
