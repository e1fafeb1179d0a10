import { WalletError } from '../errors.ts'
import { passwordKey } from './argon2.ts'
import { fromHex, type Hex, randomBytes, toBase64, toHex } from './bytes.ts'
import { open, seal } from './cipher.ts'
import { type NewKey, parseDataKey, parseWrappedKey, type WrappedKey, wrappedKeyHeader } from './records.ts'

// Runs in the page where the password is typed, so that the password never travels: the worker is sent the data key.

/** The work asked for today: RFC 9106 §4, its second recommendation, on one lane (docs/security.md). */
export const currentKdf = { name: 'argon2id', memoryKiB: 65_536, passes: 3, lanes: 1 } as const

/** A fresh random data key for a fresh vault, locked by `password`. */
export async function createKey(password: string): Promise<NewKey> {
  const dataKey = randomBytes(32)
  try {
    return await wrapKey(password, toBase64(dataKey), toHex(randomBytes(16)))
  } finally {
    dataKey.fill(0)
  }
}

/** A vault's own data key (base64) under another password, or under the same one with today's parameters and a fresh salt. */
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

/**
 * The data key (base64) inside `wrap`. Throws a WalletError: `vault-damaged` for a lock that is none or asks for too little or
 * too much work, before doing any; `wrong-password` when the password does not open it.
 */
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

/**
 * The same for whoever only tries: a wrong password gives a key that opens nothing. The worker is asked with either, judges, and counts
 * what was wrong.
 */
export async function unwrapUnchecked(wrap: WrappedKey, password: string): Promise<string> {
  try {
    return await unwrapKey(wrap, password)
  } catch (error) {
    if (error instanceof WalletError && error.code === 'wrong-password') return toBase64(randomBytes(32))
    throw error
  }
}

/** The lock of `password` on the same data key, opened once to be sure of it. */
export async function changePassword(wrap: WrappedKey, password: string, dataKey: string): Promise<NewKey> {
  const changed = await wrapKey(password, dataKey, wrap.vaultId)
  await unwrapKey(changed.wrap, password)
  return changed
}

/** True when `wrap` asks for less work than a lock made today. */
export function needsUpgrade({ kdf }: WrappedKey): boolean {
  return kdf.memoryKiB < currentKdf.memoryKiB || kdf.passes < currentKdf.passes
}

/**
 * The lock with today's parameters, opened once to be sure of it, or `undefined` when it has them already. `dataKey` is what
 * `unwrapKey` just gave for the same password.
 */
export async function upgrade(
  wrap: WrappedKey,
  password: string,
  dataKey: string,
): Promise<NewKey | undefined> {
  return needsUpgrade(wrap) ? changePassword(wrap, password, dataKey) : undefined
}
