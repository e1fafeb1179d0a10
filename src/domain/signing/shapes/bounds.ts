/** Returns the larger of two amounts or times. */
export function larger(one: bigint, other: bigint): bigint {
  return [one, other].reduce((most, each) => (each >= most ? each : most))
}

/** Returns the smaller of two amounts. */
export function smaller(one: bigint, other: bigint): bigint {
  return one === larger(one, other) ? other : one
}
