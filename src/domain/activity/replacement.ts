import { doubtOfFee, type FeeDoubt, type FeeLimits, judgedTip } from '../network/feeLimits.ts'
import type { Hex } from '../token/token.ts'

/** What shall become of a transaction that waits: mined sooner, or nothing but its number used up. */
export type ReplacementKind = 'faster' | 'cancel'

/** Wei per gas (EIP-1559). */
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

/** What another transaction in the place of one that waits costs. */
export type Replacement = {
  /** The one that it takes the place of: the newest with that number. */
  replaces: Hex
  gas: bigint
  /** What a rollup takes on top at most for writing to L1, in wei; 0 elsewhere. Nothing that is signed limits it, so it has room to rise. */
  l1Fee: bigint
  /** What the next block takes, in wei per gas. */
  baseFeePerGas: bigint
  /** It has a gas price, as the one that waits: both fees are that. */
  isLegacy?: true
  /** Nodes take no less. */
  least: Fees
  /** What the market pays. */
  speeds: Record<'slow' | 'normal' | 'fast', Fees>
}

/** What it pays at a speed: as the market does, or the least that takes its place. */
export function replacementAt(
  { least, speeds }: Pick<Replacement, 'least' | 'speeds'>,
  speed: keyof Replacement['speeds'],
): Fees {
  return dearer(least, speeds[speed])
}

/** The most that it costs at `fees`, in wei. */
export function feeAt({ gas, l1Fee }: Pick<Replacement, 'gas' | 'l1Fee'>, { maxFeePerGas }: Fees): bigint {
  return gas * maxFeePerGas + l1Fee
}

/** Returns the doubt about what a replacement costs at `fees`: what it moves is none of its own. */
export function doubtOfReplacement(
  offer: Pick<Replacement, 'gas' | 'l1Fee' | 'baseFeePerGas' | 'isLegacy'>,
  fees: Fees,
  limits: FeeLimits,
): FeeDoubt | undefined {
  const { baseFeePerGas, isLegacy } = offer
  const tip = judgedTip({ ...fees, ...(isLegacy && { isLegacy }) }, limits)
  return doubtOfFee({ fee: feeAt(offer, fees), tip, baseFeePerGas }, limits)
}

/**
 * Asking twice to replace one transaction in one way is asking once. `id` is the intent's; `feeCap` is the most that it costs as it was
 * shown, in wei: what costs more is not signed.
 */
export type ReplaceRequest = { id: string; wish: ReplacementKind; replaces: Hex; fees: Fees; feeCap: bigint }

/** What is asked for when an offer is taken at `fees`. */
export function acceptReplacement(
  offer: Replacement,
  fees: Fees,
): Pick<ReplaceRequest, 'replaces' | 'fees' | 'feeCap'> {
  return { replaces: offer.replaces, fees, feeCap: feeAt(offer, fees) }
}

/** What takes the place of all `rivals`: an eighth more than any of them, rounded up, of both. Nodes ask for a tenth. */
export function minReplacementFees(rivals: readonly Fees[]): Fees {
  return {
    maxFeePerGas: raise(rivals.map(({ maxFeePerGas }) => maxFeePerGas)),
    maxPriorityFeePerGas: raise(rivals.map(({ maxPriorityFeePerGas }) => maxPriorityFeePerGas)),
  }
}

/** The same for a legacy transaction, which pays all of it. */
export function toLegacy({ maxFeePerGas }: Fees): Fees {
  return { maxFeePerGas, maxPriorityFeePerGas: maxFeePerGas }
}

/** The higher of each. */
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

/** At least one, so that there is something to raise. */
function highest(amounts: bigint[]): bigint {
  let most = 1n
  for (const amount of amounts) if (amount > most) most = amount
  return most
}
