import type { ReviewedCost } from '../../domain/activity/transfer.ts'
import { assessedTip, type FeeDoubt, warnFee } from '../../domain/network/feeLimits.ts'
import { expectedFeeAt } from '../../domain/network/networkFee.ts'
import type { FeeSpeed } from '../../domain/swap/swap.ts'
import type { Hex } from '../../domain/token/token.ts'
import type { Chain } from '../../evm/client.ts'
import { expectedCallGas, feeCap } from './fees.ts'
import { checkFeeLimits } from './limits.ts'

/** Bytes besides the calldata. */
const envelopeBytes = 150

type Priced = ReviewedCost & {
  /** `moved`: moved value in wei, if known. */
  doubtOf(moved: bigint | undefined): FeeDoubt | undefined
}

/**
 * Returns the likely and the maximum cost of `calls` in total, at each speed and at `speed`. Throws
 * `fee-too-high`.
 */
export async function getCost(
  chain: Chain,
  calls: { data: Hex }[],
  gas: bigint,
  speed: FeeSpeed = 'normal',
  expectedGas = expectedCallGas(gas, undefined),
): Promise<Priced> {
  const [feesOf, l1Fee] = await Promise.all([chain.feesBySpeed(), getL1Fee(chain, calls)])
  const at = (speed: FeeSpeed) => {
    const { maxFeePerGas, maxPriorityFeePerGas, baseFeePerGas } = feesOf(speed)
    const fees = { maxFeePerGas, maxPriorityFeePerGas }
    const expectedFee = expectedFeeAt({ expectedGas, baseFeePerGas, l1Fee }, fees)
    return { ...fees, networkFee: gas * maxFeePerGas + l1Fee, expectedFee }
  }
  const { networkFee, expectedFee } = at(speed)
  const fees = feesOf(speed)
  const { baseFeePerGas, isLegacy } = fees
  const speeds = { slow: at('slow'), normal: at('normal'), fast: at('fast') }
  const fee = feeCap(networkFee)
  const limits = chain.feeLimits
  const tip = assessedTip(fees, limits)
  checkFeeLimits(limits, fee, tip)
  const doubtOf = (moved: bigint | undefined) => warnFee({ fee, tip, baseFeePerGas, moved }, limits)
  return {
    gas,
    expectedGas,
    networkFee,
    expectedFee,
    speeds,
    ...(isLegacy && { isLegacy }),
    l1Fee,
    feeCap: fee,
    baseFeePerGas,
    doubtOf,
  }
}

/** Returns the maximum L1 fee of `calls`, in wei. */
export async function getL1Fee(chain: Chain, calls: { data: Hex }[]): Promise<bigint> {
  const fees = await Promise.all(calls.map(({ data }) => chain.l1Fee(envelopeBytes + (data.length - 2) / 2)))
  return fees.reduce((sum, fee) => sum + fee, 0n)
}
