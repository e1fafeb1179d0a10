import { type Address, mnemonicToAccount } from 'viem/accounts'
import bip39 from '../../vault/vectors/bip39.json' with { type: 'json' }

/** BIP-39 test vectors of 12, 18 and 24 words. */
export const phrases = [1, 13, 23].map((index) => bip39.vectors[index]?.phrase ?? '')

/** Returns the first address of a phrase, derived by viem. */
export function firstOf(phrase: string): Address {
  return mnemonicToAccount(phrase).address.toLowerCase() as Address
}
