import type { Address } from '../token/token.ts'

/** Uniswap's Permit2, on all chains but zkSync. */
export const permit2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'
