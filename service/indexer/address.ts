import type { Address } from '../config.ts'

/** Viem answers addresses in mixed case (EIP-55); ours are lower case. */
export function lower(address: Address): Address {
  return address.toLowerCase() as Address
}
