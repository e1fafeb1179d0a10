import { type Bytes, randomBytes } from './bytes.ts'

export type Sealed = { iv: Bytes; sealed: Bytes }

/**
 * Encrypts by AES-256-GCM (NIST SP 800-38D) with 128-bit tag; `header` is additional data. The 96-bit IV is
 * random per write, except in test vectors.
 */
export async function seal(
  key: Bytes,
  plain: Bytes,
  header: Bytes,
  iv: Bytes = randomBytes(12),
): Promise<Sealed> {
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: header, tagLength: 128 },
    await importKey(key, 'encrypt'),
    plain,
  )
  return { iv, sealed: new Uint8Array(sealed) }
}

/** Returns `undefined` if anything does not match. */
export async function open(key: Bytes, { iv, sealed }: Sealed, header: Bytes): Promise<Bytes | undefined> {
  try {
    const plain = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv, additionalData: header, tagLength: 128 },
      await importKey(key, 'decrypt'),
      sealed,
    )
    return new Uint8Array(plain)
  } catch {
    return undefined
  }
}

function importKey(key: Bytes, usage: 'encrypt' | 'decrypt'): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', key, 'AES-GCM', false, [usage])
}
