import type { Network } from './network.ts'

/** The most that the wallet pays on a network, in wei. */
export type FeeLimits = {
  /** For all transactions of one confirmation together, what a rollup takes for L1 included. Nothing above it is signed. */
  total: bigint
  /** Priority fee per gas. Nothing above it is signed. */
  tip: bigint
  /** Priority fee per gas below which none is odd, however low the base fee. */
  usualTip: bigint
  /** The chain is known to have a base fee (EIP-1559). */
  hasBaseFee?: true
}

const gwei = 10n ** 9n
const milli = 10n ** 15n

/**
 * Totals allow half a million gas at the highest base fees that lasted for hours, and are worth about a thousand dollars on
 * Ethereum, a hundred elsewhere. Tips allow ten times what the fastest tenth of transactions pays on a busy day.
 */
const known: Readonly<Record<number, FeeLimits>> = {
  // 500,000 gas at 1,000 gwei, as in the rushes of 2021 and 2022. Tips are 0.1 to 3 gwei, 10 in a rush.
  1: { total: 500n * milli, tip: 100n * gwei, usualTip: 10n * gwei },
  // OP stack: base fees of 0.001 to 1 gwei; L1 data costs more than gas in a rush on Ethereum.
  10: { total: 30n * milli, tip: 20n * gwei, usualTip: 2n * gwei },
  130: { total: 30n * milli, tip: 20n * gwei, usualTip: 2n * gwei },
  8453: { total: 30n * milli, tip: 20n * gwei, usualTip: 2n * gwei },
  // Validators take 0.05 to 5 gwei, without a base fee.
  56: { total: 150n * milli, tip: 60n * gwei, usualTip: 6n * gwei },
  // The native token is a dollar.
  100: { total: 100_000n * milli, tip: 1_000n * gwei, usualTip: 100n * gwei },
  // Nodes ask for a tip of 25 to 30 gwei at least; 500 are common when it is busy.
  137: { total: 200_000n * milli, tip: 5_000n * gwei, usualTip: 600n * gwei },
  // The sequencer ignores tips; base fees are 0.01 to 2 gwei.
  42161: { total: 30n * milli, tip: 10n * gwei, usualTip: 2n * gwei },
  // Base fees of 1 to 25 gwei, 500 in a rush.
  43114: { total: 3_000n * milli, tip: 500n * gwei, usualTip: 50n * gwei },
  // Tips of 0.03 to 2 gwei are the price of gas there.
  59144: { total: 30n * milli, tip: 30n * gwei, usualTip: 4n * gwei },
}

/** Of a network that the wallet does not know: one native token, whatever that is worth. */
const unknown: FeeLimits = { total: 1_000n * milli, tip: 2_000n * gwei, usualTip: 100n * gwei }

/** Returns the limits that the wallet has for a chain by itself. */
export function builtInFeeLimits(chainId: number): FeeLimits {
  const limits = known[chainId]
  return limits ? { ...limits, hasBaseFee: true } : unknown
}

/**
 * Returns the priority fee to judge. The gas price of a legacy transaction is none, unless the chain is known
 * to have a base fee: there a node could hide it, and ask for any priority fee as gas price.
 */
export function judgedTip(
  { maxPriorityFeePerGas, isLegacy }: { maxPriorityFeePerGas: bigint; isLegacy?: true },
  { hasBaseFee }: Pick<FeeLimits, 'hasBaseFee'>,
): bigint {
  return isLegacy && !hasBaseFee ? 0n : maxPriorityFeePerGas
}

/** Returns the limits that hold on a network: the user's own where there are any. */
export function getFeeLimits({
  chainId,
  feeLimit,
  tipLimit,
}: Pick<Network, 'chainId' | 'feeLimit' | 'tipLimit'>): FeeLimits {
  const limits = builtInFeeLimits(chainId)
  return { ...limits, total: feeLimit ?? limits.total, tip: tipLimit ?? limits.tip }
}

/** A reason to ask the user whether the fee is meant. `fee` is the most it may become, in wei. */
export type FeeDoubt = {
  /**
   * `more-than-moved`, `large-share`: of what is moved. `large`: for this network, where nobody knows what is moved worth. `tip`: against the
   * base fee.
   */
  kind: 'more-than-moved' | 'large-share' | 'large' | 'tip'
  fee: bigint
}

type Facts = {
  /** The most it may become, in wei. */
  fee: bigint
  /** Wei per gas, where it is known. */
  tip?: bigint
  baseFeePerGas?: bigint
  /** What is moved, in wei of the native token, where it can be valued. */
  moved?: bigint | undefined
}

/** The share of what is moved from which on a fee needs the user's word: a tenth. Half of it is room that is seldom used. */
const largeShare = 10n

/** A tip is odd at more than so many base fees. */
const oddTipTimes = 3n

/** Where what is moved is not known, a fee is large from a fifth of the hard limit on. */
const largePart = 5n

/**
 * Returns the gravest doubt about a fee. It is told by absolute numbers and by what is moved: a node that lies does so in tip, base fee
 * and history alike.
 */
export function doubtOfFee(
  { fee, tip = 0n, baseFeePerGas = 0n, moved }: Facts,
  limits: FeeLimits,
): FeeDoubt | undefined {
  if (moved !== undefined && moved > 0n) {
    if (fee > moved) return { kind: 'more-than-moved', fee }
    if (fee * largeShare > moved) return { kind: 'large-share', fee }
  }
  if (tip > limits.usualTip && tip > baseFeePerGas * oddTipTimes) return { kind: 'tip', fee }
  if (!moved && fee * largePart > limits.total) return { kind: 'large', fee }
  return undefined
}
