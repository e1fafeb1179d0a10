import { argon2id } from 'hash-wasm'
import { WalletError } from '../errors.ts'
import { type Bytes, fromHex, type Hex, randomBytes, toBase64, toHex } from './bytes.ts'
import { open, seal } from './cipher.ts'
import {
  type Kdf,
  type NewKey,
  parseDataKey,
  parseWrappedKey,
  type WrappedKey,
  wrappedKeyHeader,
} from './storage/records.ts'

// Runs in the page where the password is typed: the worker gets only the data key.

/** RFC 9106 §4, second option, one lane (docs/security/keys.md). */
export const currentKdf = { name: 'argon2id', memoryKiB: 65_536, passes: 3, lanes: 1 } as const

/** Creates a random data key. */
export async function createKey(password: string): Promise<NewKey> {
  const dataKey = randomBytes(32)
  try {
    return await wrapKey(password, toBase64(dataKey), toHex(randomBytes(16)))
  } finally {
    dataKey.fill(0)
  }
}

/** Wraps a data key with current parameters and a new salt. */
export async function wrapKey(password: string, dataKey: string, vaultId: Hex): Promise<NewKey> {
  if (password === '') throw new WalletError('invalid-input', 'A password has at least one character.')
  const plain = parseDataKey(dataKey)
  const head = { version: 1, vaultId, kdf: { ...currentKdf, salt: toHex(randomBytes(32)) } } as const
  const key = await passwordKey(password, head.kdf)
  const { iv, sealed } = await seal(key, plain, wrappedKeyHeader(head))
  key.fill(0)
  plain.fill(0)
  return { dataKey, wrap: { ...head, iv: toHex(iv), sealed: toHex(sealed) } }
}

/** Throws `vault-damaged` before any work, or `wrong-password`. */
export async function unwrapKey(wrap: WrappedKey, password: string): Promise<string> {
  const { iv, sealed, ...head } = parseWrappedKey(wrap)
  const key = password === '' ? undefined : await passwordKey(password, head.kdf)
  const dataKey =
    key && (await open(key, { iv: fromHex(iv), sealed: fromHex(sealed) }, wrappedKeyHeader(head)))
  key?.fill(0)
  if (dataKey === undefined) throw new WalletError('wrong-password', 'The password does not open the vault.')
  try {
    return toBase64(dataKey)
  } finally {
    dataKey.fill(0)
  }
}

/** Returns a random key for a wrong password, so the worker verifies and counts the attempt. */
export async function unwrapUnchecked(wrap: WrappedKey, password: string): Promise<string> {
  try {
    return await unwrapKey(wrap, password)
  } catch (error) {
    if (error instanceof WalletError && error.code === 'wrong-password') return toBase64(randomBytes(32))
    throw error
  }
}

/** Wraps the key again and verifies it. */
export async function changePassword(wrap: WrappedKey, password: string, dataKey: string): Promise<NewKey> {
  const changed = await wrapKey(password, dataKey, wrap.vaultId)
  await unwrapKey(changed.wrap, password)
  return changed
}

export function needsUpgrade({ kdf }: WrappedKey): boolean {
  return kdf.memoryKiB < currentKdf.memoryKiB || kdf.passes < currentKdf.passes
}

/** Wraps with current parameters and verifies; `undefined` if already current. */
export async function upgrade(
  wrap: WrappedKey,
  password: string,
  dataKey: string,
): Promise<NewKey | undefined> {
  return needsUpgrade(wrap) ? changePassword(wrap, password, dataKey) : undefined
}

/** Derives a 32-byte key by Argon2id (RFC 9106, version 1.3). NFKC makes it independent of the keyboard. */
export async function passwordKey(password: string, kdf: Omit<Kdf, 'name'>): Promise<Bytes> {
  const bytes = new TextEncoder().encode(password.normalize('NFKC'))
  try {
    const key = await argon2id({
      password: bytes,
      salt: fromHex(kdf.salt),
      memorySize: kdf.memoryKiB,
      iterations: kdf.passes,
      parallelism: kdf.lanes,
      hashLength: 32,
      outputType: 'binary',
    })
    return new Uint8Array(key)
  } finally {
    bytes.fill(0)
  }
}
