import { maxUint256 } from './amount.ts'

/** As much as an allowance can be: it stays until it is taken back. */
export const unlimitedAmount = maxUint256

/** Such amounts are never meant as one: the largest numbers of 96 (UNI, COMP), 128, 160 (Permit2) and 256 bits. */
export function isUnlimited(amount: bigint | 'all'): boolean {
  return amount === 'all' || amount >= 2n ** 128n - 1n || amount === 2n ** 96n - 1n
}
