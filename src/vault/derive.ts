import { secp256k1 } from '@noble/curves/secp256k1'
import { keccak_256 } from '@noble/hashes/sha3'
import { HDKey } from '@scure/bip32'
import { type Bytes, type Hex, toHex } from './bytes.ts'

/** Returns the BIP-44 path (SLIP-44 type 60). */
export function accountPath(index: number): string {
  return `m/44'/60'/0'/0/${index}`
}

/** Derives a BIP-32 key, for the caller to zero. */
export function privateKeyAt(seed: Bytes, path: string): Bytes {
  let node = HDKey.fromMasterSeed(seed)
  for (const step of path.split('/').slice(1)) {
    const child = node.derive(`m/${step}`)
    node.wipePrivateData()
    node = child
  }
  return node.privateKey as Bytes
}

export function toAccountAddress(privateKey: Uint8Array): Hex {
  const publicKey = secp256k1.getPublicKey(privateKey, false).subarray(1)
  return toHex(keccak_256(publicKey).subarray(-20))
}
