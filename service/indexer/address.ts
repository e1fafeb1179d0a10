import type { Address } from '../config.ts'

/** Converts viem's EIP-55 addresses. */
export function toLowerAddress(address: Address): Address {
  return address.toLowerCase() as Address
}
