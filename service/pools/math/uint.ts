const word = 2n ** 256n

/** Returns a number that Solidity computes without overflow. Throws a RangeError where it reverts. */
export function toUint(value: bigint): bigint {
  if (value < 0n || value >= word) throw new RangeError('A number does not fit into 256 bits.')
  return value
}
