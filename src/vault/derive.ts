import { secp256k1 } from '@noble/curves/secp256k1'
import { keccak_256 } from '@noble/hashes/sha3'
import { WalletError } from '../errors.ts'
import { type Bytes, fromHex, type Hex, toHex } from './bytes.ts'

/** Returns the BIP-44 path (SLIP-44 type 60). */
export function accountPath(index: number): string {
  return `m/44'/60'/0'/0/${index}`
}

/** Derives a BIP-32 key, for the caller to zero. */
export async function privateKeyAt(seed: Bytes, path: string): Promise<Bytes> {
  let node = await derive({ key: 0n, chainCode: new TextEncoder().encode('Bitcoin seed') }, seed)
  for (const index of getIndexes(path)) {
    const data = childData(node.key, index)
    node = await derive(node, data)
    data.fill(0)
  }
  return keyBytes(node.key)
}

export function toAccountAddress(privateKey: Uint8Array): Hex {
  const publicKey = secp256k1.getPublicKey(privateKey, false).subarray(1)
  return toHex(keccak_256(publicKey).subarray(-20))
}

type Node = { key: bigint; chainCode: Bytes }

const hardened = 2 ** 31

const { n: order } = secp256k1.CURVE

/** BIP-32; the master key is a step from zero. */
async function derive({ key: parent, chainCode }: Node, data: Bytes): Promise<Node> {
  const hmac = { name: 'HMAC', hash: 'SHA-512' }
  const secret = await crypto.subtle.importKey('raw', chainCode, hmac, false, ['sign'])
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', secret, data))
  const left = BigInt(toHex(bytes.subarray(0, 32)))
  const key = (left + parent) % order
  // Probability 2^-127.
  if (left >= order || key === 0n) throw new WalletError('internal', 'There is no key at this path.')
  const node = { key, chainCode: bytes.slice(32) }
  bytes.fill(0)
  return node
}

/** ser256(k) or serP(point(k)); then ser32(i). */
function childData(key: bigint, index: number): Bytes {
  const privateKey = keyBytes(key)
  const data = new Uint8Array(37)
  if (index >= hardened) data.set(privateKey, 1)
  else data.set(secp256k1.getPublicKey(privateKey))
  new DataView(data.buffer).setUint32(33, index)
  privateKey.fill(0)
  return data
}

function keyBytes(key: bigint): Bytes {
  return fromHex(`0x${key.toString(16).padStart(64, '0')}`)
}

function getIndexes(path: string): number[] {
  const [, ...steps] = path.split('/')
  return steps.map((step) => (step.endsWith("'") ? Number(step.slice(0, -1)) + hardened : Number(step)))
}
