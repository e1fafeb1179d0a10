/** Output of a pool in one direction, in doubles and base units, fee included; concave. */
export type Curve = {
  capacity: number
  /** True if the slope is the same up to the capacity. */
  isLinear?: true
  /** Maximum output, also in integer arithmetic. */
  most: number
  /** Base units by which the contract's rounding may pay more than `bought`; none if absent. */
  rounding?: number
  /** Constant beyond the capacity. */
  bought(sold: number): number
  /** Derivative of `bought`; 0 from the capacity on. */
  slope(sold: number): number
  /** Inverse of `slope`; 0 if it starts lower. */
  soldAt(slope: number): number
  /** Number of ticks crossed, each of which costs gas. */
  steps(sold: number): number
}
