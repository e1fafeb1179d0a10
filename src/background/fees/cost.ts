import { doubtOfFee, type FeeDoubt, judgedTip } from '../../domain/network/feeLimits.ts'
import type { FeeSpeed, Review } from '../../domain/swap/swap.ts'
import type { Hex } from '../../domain/token/token.ts'
import type { Chain } from '../../evm/client.ts'
import { feeCap } from './fees.ts'
import { checkFeeLimits } from './limits.ts'

/** What a transaction is besides its calldata, in bytes: numbers, addresses, signature. */
const envelopeBytes = 150

type Cost = Pick<Review, 'gas' | 'networkFee' | 'speeds' | 'isLegacy' | 'l1Fee' | 'feeCap'>

type Priced = Cost & {
  baseFeePerGas: bigint
  /** `moved`: what the calls move, in wei, where that can be valued. */
  doubtOf(moved: bigint | undefined): FeeDoubt | undefined
}

/**
 * Returns the most that `calls` cost with `gas` for all of them, at each speed and at the one that was asked for. Throws `fee-too-high`
 * for more than the network's limits.
 */
export async function getCost(
  chain: Chain,
  calls: { data: Hex }[],
  gas: bigint,
  speed: FeeSpeed = 'normal',
): Promise<Priced> {
  const [feesOf, l1Fee] = await Promise.all([chain.market(), getL1Fee(chain, calls)])
  const at = (speed: FeeSpeed) => {
    const { maxFeePerGas, maxPriorityFeePerGas } = feesOf(speed)
    return { maxFeePerGas, maxPriorityFeePerGas, networkFee: gas * maxFeePerGas + l1Fee }
  }
  const { networkFee } = at(speed)
  const fees = feesOf(speed)
  const { baseFeePerGas, isLegacy } = fees
  const speeds = { slow: at('slow'), normal: at('normal'), fast: at('fast') }
  const fee = feeCap(networkFee)
  const limits = chain.feeLimits
  const tip = judgedTip(fees, limits)
  checkFeeLimits(limits, fee, tip)
  const doubtOf = (moved: bigint | undefined) => doubtOfFee({ fee, tip, baseFeePerGas, moved }, limits)
  return {
    gas,
    networkFee,
    speeds,
    ...(isLegacy && { isLegacy }),
    l1Fee,
    feeCap: fee,
    baseFeePerGas,
    doubtOf,
  }
}

/** What a rollup takes at most, in wei, for writing `calls` to L1. */
export async function getL1Fee(chain: Chain, calls: { data: Hex }[]): Promise<bigint> {
  const fees = await Promise.all(calls.map(({ data }) => chain.l1Fee(envelopeBytes + (data.length - 2) / 2)))
  return fees.reduce((sum, fee) => sum + fee, 0n)
}
