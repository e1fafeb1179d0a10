import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { type Hex, toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { Address } from '../service/config.ts'

export type DemoAccount = { address: Address; privateKey: Hex }

/** Known to everybody, so worth nothing anywhere else. The node's own default (anvil --help). */
export const mnemonic = 'test test test test test test test test test test test junk'

/** The first ten accounts of the mnemonic (BIP-44), which the node gives 10,000 ETH each. */
export function demoAccounts(): DemoAccount[] {
  const chain = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive("m/44'/60'/0'/0")
  return Array.from({ length: 10 }, (_, index) => {
    const key = chain.deriveChild(index).privateKey
    if (!key) throw new Error(`The mnemonic has no account ${index}.`)
    const privateKey = toHex(key)
    return { address: privateKeyToAddress(privateKey).toLowerCase() as Address, privateKey }
  })
}
