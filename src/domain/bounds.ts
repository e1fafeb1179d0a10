/** Returns the larger of two amounts or times. */
export function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

/** Returns the smaller of two amounts. */
export function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
