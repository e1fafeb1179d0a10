import { assessedTip, type FeeDoubt, type FeeLimits, warnFee } from '../network/feeLimits.ts'
import { expectedFeeAt, type NetworkFee } from '../network/networkFee.ts'
import type { Hex } from '../token/token.ts'

export type ReplacementKind = 'faster' | 'cancel'

/** Wei per gas (EIP-1559). */
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

export type Replacement = {
  replaces: Hex
  gas: bigint
  /** Gas that it will likely use. */
  expectedGas: bigint
  /** Maximum L1 fee of a rollup, in wei, else 0. With headroom: no signed field limits it. */
  l1Fee: bigint
  /** Of the next block, in wei per gas. */
  baseFeePerGas: bigint
  /** Both fees equal the gas price. */
  isLegacy?: true
  /** Minimum accepted by nodes. */
  least: Fees
  speeds: Record<'slow' | 'normal' | 'fast', Fees>
}

/** Returns the fees at `speed`, at least the minimum. */
export function replacementAt(
  { least, speeds }: Pick<Replacement, 'least' | 'speeds'>,
  speed: keyof Replacement['speeds'],
): Fees {
  return dearer(least, speeds[speed])
}

/** Returns the maximum cost in wei. */
export function feeAt({ gas, l1Fee }: Pick<Replacement, 'gas' | 'l1Fee'>, { maxFeePerGas }: Fees): bigint {
  return gas * maxFeePerGas + l1Fee
}

/** Returns the likely and the maximum cost. */
export function replacementFee(
  offer: Pick<Replacement, 'gas' | 'expectedGas' | 'l1Fee' | 'baseFeePerGas'>,
  fees: Fees,
): NetworkFee {
  // Without the headroom of half.
  const l1Fee = (offer.l1Fee * 2n) / 3n
  return { expectedFee: expectedFeeAt({ ...offer, l1Fee }, fees), feeCap: feeAt(offer, fees) }
}

/** Returns the doubt about a replacement's fee, regardless of the value moved. */
export function warnReplacement(
  offer: Pick<Replacement, 'gas' | 'l1Fee' | 'baseFeePerGas' | 'isLegacy'>,
  fees: Fees,
  limits: FeeLimits,
): FeeDoubt | undefined {
  const { baseFeePerGas, isLegacy } = offer
  const tip = assessedTip({ ...fees, ...(isLegacy && { isLegacy }) }, limits)
  return warnFee({ fee: feeAt(offer, fees), tip, baseFeePerGas }, limits)
}

/**
 * Replacement request, idempotent per transaction and kind. `id` is the intent's; beyond `feeCap` (wei, as
 * shown) nothing is signed.
 */
export type ReplaceRequest = { id: string; wish: ReplacementKind; replaces: Hex; fees: Fees; feeCap: bigint }

export function acceptReplacement(
  offer: Replacement,
  fees: Fees,
): Pick<ReplaceRequest, 'replaces' | 'fees' | 'feeCap'> {
  return { replaces: offer.replaces, fees, feeCap: feeAt(offer, fees) }
}

/** Returns 1/8 above the highest fees, rounded up. Nodes require 1/10. */
export function minReplacementFees(rivals: readonly Fees[]): Fees {
  return {
    maxFeePerGas: raise(rivals.map(({ maxFeePerGas }) => maxFeePerGas)),
    maxPriorityFeePerGas: raise(rivals.map(({ maxPriorityFeePerGas }) => maxPriorityFeePerGas)),
  }
}

/** Sets both fees to the gas price. */
export function toLegacy({ maxFeePerGas }: Fees): Fees {
  return { maxFeePerGas, maxPriorityFeePerGas: maxFeePerGas }
}

function dearer(one: Fees, other: Fees): Fees {
  return {
    maxFeePerGas: highest([one.maxFeePerGas, other.maxFeePerGas]),
    maxPriorityFeePerGas: highest([one.maxPriorityFeePerGas, other.maxPriorityFeePerGas]),
  }
}

export function meetsMinFees({ maxFeePerGas, maxPriorityFeePerGas }: Fees, least: Fees): boolean {
  return maxFeePerGas >= least.maxFeePerGas && maxPriorityFeePerGas >= least.maxPriorityFeePerGas
}

function raise(amounts: bigint[]): bigint {
  return (highest(amounts) * 9n + 7n) / 8n
}

/** At least 1, so that raising has an effect. */
function highest(amounts: bigint[]): bigint {
  let most = 1n
  for (const amount of amounts) if (amount > most) most = amount
  return most
}
