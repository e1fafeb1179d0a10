import { maxUint256 } from './amount.ts'

/** Maximum allowance, which stays until revoked. */
export const unlimitedAmount = maxUint256

/** True for amounts that mean unlimited: the maxima of 96 (UNI, COMP), 128, 160 (Permit2) and 256 bits. */
export function isUnlimited(amount: bigint | 'all'): boolean {
  return amount === 'all' || amount >= 2n ** 128n - 1n || amount === 2n ** 96n - 1n
}
