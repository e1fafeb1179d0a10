/**
 * What a pool pays in one direction, in doubles and base units; the fee is inside. It rises and bends down: the next bit sold
 * never buys more than the one before.
 */
export type Curve = {
  /** The most input it can use. */
  capacity: number
  /** No input buys more than this, not even beyond the capacity in the pool's own integers. */
  most: number
  /** What `sold` buys; beyond the capacity, no more than all of it. */
  bought(sold: number): number
  /** What the next bit of input buys after `sold`, per unit: the derivative of `bought`. 0 from the capacity on. */
  slope(sold: number): number
  /** The inverse of `slope`: the input at which it has fallen to `slope`. 0 when it begins below, at most the capacity. */
  soldAt(slope: number): number
  /** Ticks that the price crosses on the way: each costs gas. 0 in pools without. */
  steps(sold: number): number
}
