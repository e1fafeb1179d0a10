// By how much the output of a pool may move between a block and the next seconds, in ten-millionths.

/** Of a yield of less than 100 % a year, of rates of yield, and of an amplification that moves. */
export const yieldDrift = 1n

/** Of a fee that depends on the time, by prices of some minutes: 20 millionths. */
export const feeDrift = 200n
