import type { Address } from '../config.ts'

/** Converts viem's EIP-55 addresses. */
export function lower(address: Address): Address {
  return address.toLowerCase() as Address
}
