export type GasPart =
  /** The transaction, pulling the sold token, paying a receiver without any of the bought one. */
  | 'base'
  /** Each branch beyond the first. */
  | 'branch'
  | 'wrap'
  | 'unwrap'
  | 'constantProduct'
  /** A hop within one range, and each initialised tick on its way. */
  | 'concentrated'
  | 'tick'
  | 'weighted'
  | 'stable'
  /** Paying a referrer without any of the sold token. */
  | 'fee'

// Both are written by `npm run bench:gas`, which executes routes on the local chain.

/** Gas of the parts of a swap through the router, by least squares: what hops are ranked by. */
export const gasCosts: Record<GasPart, bigint> = {
  base: 92_200n,
  branch: 14_300n,
  wrap: 2_900n,
  unwrap: 20_400n,
  constantProduct: 67_200n,
  concentrated: 69_600n,
  tick: 27_800n,
  weighted: 90_200n,
  stable: 119_700n,
  fee: 25_300n,
}

/** Gas that a route may use beyond that: first swaps of a pool, ticks far apart, tokens never held before. */
export const gasMargin: Record<GasPart, bigint> = {
  base: 0n,
  branch: 900n,
  wrap: 1_400n,
  unwrap: 0n,
  constantProduct: 31_500n,
  concentrated: 32_600n,
  tick: 12_200n,
  weighted: 14_600n,
  stable: 600n,
  fee: 10_200n,
}
