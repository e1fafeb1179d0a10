import { type Bytes, randomBytes } from './bytes.ts'

export type Sealed = { iv: Bytes; sealed: Bytes }

/**
 * `plain` under AES-256-GCM (NIST SP 800-38D), with its 128-bit tag behind it. `header` is bound to it as additional data:
 * readable by anybody, changed by nobody. The 96-bit IV is random for every write; only published vectors bring their own.
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

/** What was sealed, or `undefined` when key, IV, header or ciphertext is another than it was sealed with. */
export async function open(key: Bytes, { iv, sealed }: Sealed, header: Bytes): Promise<Bytes | undefined> {
  try {
    const plain = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv, additionalData: header, tagLength: 128 },
      await importKey(key, 'decrypt'),
      sealed,
    )
    return new Uint8Array(plain)
  } catch {
    // WebCrypto says no more than "OperationError", whatever differed.
    return undefined
  }
}

function importKey(key: Bytes, usage: 'encrypt' | 'decrypt'): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', key, 'AES-GCM', false, [usage])
}
