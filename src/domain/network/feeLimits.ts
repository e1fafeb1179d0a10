import type { Network } from './network.ts'

/** Limits in wei. */
export type FeeLimits = {
  /** For all transactions of one confirmation, L1 fee included. Nothing above it is signed. */
  total: bigint
  /** Priority fee per gas. Nothing above it is signed. */
  tip: bigint
  /** Priority fee per gas up to which none is doubtful. */
  usualTip: bigint
  /** Known to have a base fee (EIP-1559). */
  hasBaseFee?: true
}

const gwei = 10n ** 9n
const milli = 10n ** 15n

/**
 * Totals: 500,000 gas at lasting peaks, about $1,000 on Ethereum, $100 elsewhere. Tips: ten times the fastest
 * decile on a busy day.
 */
const known: Readonly<Record<number, FeeLimits>> = {
  // 500,000 gas at 1,000 gwei, as in 2021 and 2022. Tips are 0.1 to 3 gwei, 10 at peaks.
  1: { total: 500n * milli, tip: 100n * gwei, usualTip: 10n * gwei },
  // Base fees of 0.001 to 1 gwei; L1 data costs more at Ethereum's peaks.
  10: { total: 30n * milli, tip: 20n * gwei, usualTip: 2n * gwei },
  130: { total: 30n * milli, tip: 20n * gwei, usualTip: 2n * gwei },
  8453: { total: 30n * milli, tip: 20n * gwei, usualTip: 2n * gwei },
  // 0.05 to 5 gwei, without a base fee.
  56: { total: 150n * milli, tip: 60n * gwei, usualTip: 6n * gwei },
  // The native token is worth one dollar.
  100: { total: 100_000n * milli, tip: 1_000n * gwei, usualTip: 100n * gwei },
  // Nodes require a tip of 25 to 30 gwei; 500 is common when busy.
  137: { total: 200_000n * milli, tip: 5_000n * gwei, usualTip: 600n * gwei },
  // The sequencer ignores tips; base fees are 0.01 to 2 gwei.
  42161: { total: 30n * milli, tip: 10n * gwei, usualTip: 2n * gwei },
  // Base fees of 1 to 25 gwei, 500 at peaks.
  43114: { total: 3_000n * milli, tip: 500n * gwei, usualTip: 50n * gwei },
  // Tips are 0.03 to 2 gwei.
  59144: { total: 30n * milli, tip: 30n * gwei, usualTip: 4n * gwei },
}

/** One native token, whatever its value. */
const unknown: FeeLimits = { total: 1_000n * milli, tip: 2_000n * gwei, usualTip: 100n * gwei }

export function builtInFeeLimits(chainId: number): FeeLimits {
  const limits = known[chainId]
  return limits ? { ...limits, hasBaseFee: true } : unknown
}

/**
 * Returns 0 for a legacy transaction, unless the chain is known to have a base fee: there an RPC could demand
 * any priority fee as gas price.
 */
export function assessedTip(
  { maxPriorityFeePerGas, isLegacy }: { maxPriorityFeePerGas: bigint; isLegacy?: true },
  { hasBaseFee }: Pick<FeeLimits, 'hasBaseFee'>,
): bigint {
  return isLegacy && !hasBaseFee ? 0n : maxPriorityFeePerGas
}

/** Returns the limits; the user's own take precedence. */
export function getFeeLimits({
  chainId,
  feeLimit,
  tipLimit,
}: Pick<Network, 'chainId' | 'feeLimit' | 'tipLimit'>): FeeLimits {
  const limits = builtInFeeLimits(chainId)
  return { ...limits, total: feeLimit ?? limits.total, tip: tipLimit ?? limits.tip }
}

/** Reason to ask about a fee; `fee` is the maximum in wei. */
export type FeeDoubt = {
  /**
   * `more-than-moved`, `large-share`: of the value moved. `large`: with unknown value. `tip`: against the
   * base fee.
   */
  kind: 'more-than-moved' | 'large-share' | 'large' | 'tip'
  fee: bigint
}

type Facts = {
  /** Maximum in wei. */
  fee: bigint
  /** Wei per gas. */
  tip?: bigint
  baseFeePerGas?: bigint
  /** In wei of the native token, if known. */
  moved?: bigint | undefined
}

/** Divisor: 1/10 of the value moved. Half of it is headroom that is seldom used. */
const largeShare = 10n

const oddTipTimes = 3n

/** Divisor: 1/5 of the hard limit. */
const largePart = 5n

/**
 * Returns the gravest doubt, by absolute numbers and the value moved: a lying RPC lies in tip, base fee and
 * history alike.
 */
export function warnFee(
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
