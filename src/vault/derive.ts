import { secp256k1 } from '@noble/curves/secp256k1'
import { keccak_256 } from '@noble/hashes/sha3'
import { WalletError } from '../errors.ts'
import { type Bytes, fromHex, type Hex, toHex } from './bytes.ts'

/** BIP-44 for Ether (SLIP-44 coin 60): the first account's address with this index, counted from zero. */
export function accountPath(index: number): string {
  return `m/44'/60'/0'/0/${index}`
}

/** The private key (32 bytes) at a BIP-32 path such as "m/44'/60'/0'/0/0". The caller fills it with zero after use. */
export async function privateKeyAt(seed: Bytes, path: string): Promise<Bytes> {
  let node = await derive({ key: 0n, chainCode: new TextEncoder().encode('Bitcoin seed') }, seed)
  for (const index of indexesOf(path)) {
    const data = childData(node.key, index)
    node = await derive(node, data)
    data.fill(0)
  }
  return keyBytes(node.key)
}

/** The lower-case address that a private key controls. */
export function toAccountAddress(privateKey: Uint8Array): Hex {
  // The first byte only tells that it is not compressed.
  const publicKey = secp256k1.getPublicKey(privateKey, false).subarray(1)
  return toHex(keccak_256(publicKey).subarray(-20))
}

type Node = { key: bigint; chainCode: Bytes }

/** From this index on children are hardened: they follow from the private key alone. */
const hardened = 2 ** 31

const { n: order } = secp256k1.CURVE

/** One step of BIP-32; the first one, from the seed, is the same from a key of zero. */
async function derive({ key: parent, chainCode }: Node, data: Bytes): Promise<Node> {
  const hmac = { name: 'HMAC', hash: 'SHA-512' }
  const secret = await crypto.subtle.importKey('raw', chainCode, hmac, false, ['sign'])
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', secret, data))
  const left = BigInt(toHex(bytes.subarray(0, 32)))
  const key = (left + parent) % order
  // One in 2^127: BIP-32 has no key there.
  if (left >= order || key === 0n) throw new WalletError('internal', 'There is no key at this path.')
  const node = { key, chainCode: bytes.slice(32) }
  bytes.fill(0)
  return node
}

/** ser256(k) after a zero byte, or serP(point(k)); then ser32(i). */
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

function indexesOf(path: string): number[] {
  const [, ...steps] = path.split('/')
  return steps.map((step) => (step.endsWith("'") ? Number(step.slice(0, -1)) + hardened : Number(step)))
}
