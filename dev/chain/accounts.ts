import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { type Hex, toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { Address } from '../../service/config.ts'

export type DemoAccount = { address: Address; privateKey: Hex }

/** Anvil's public default mnemonic. */
export const mnemonic = 'test test test test test test test test test test test junk'

/** Returns its first ten accounts (BIP-44), funded with 10,000 ETH each by the node. */
export function demoAccounts(): DemoAccount[] {
  const chain = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive("m/44'/60'/0'/0")
  return Array.from({ length: 10 }, (_, index) => {
    const key = chain.deriveChild(index).privateKey
    if (!key) throw new Error(`The mnemonic has no account ${index}.`)
    const privateKey = toHex(key)
    return { address: privateKeyToAddress(privateKey).toLowerCase() as Address, privateKey }
  })
}
