import type { Review } from '../../domain/swap/swap.ts'

/** What a network fee may become at most, at any speed: as much more as the review allows for the one at hand. */
export function capAt({ networkFee, feeCap }: Pick<Review, 'networkFee' | 'feeCap'>, fee: bigint): bigint {
  return networkFee === 0n ? fee : (fee * feeCap) / networkFee
}
