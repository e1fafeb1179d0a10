import { argon2id } from 'hash-wasm'
import { type Bytes, fromHex } from './bytes.ts'
import type { Kdf } from './records.ts'

/**
 * The 32-byte key that Argon2id (RFC 9106, version 1.3) makes from a password. The password is taken in Unicode's form NFKC,
 * so that the same letters typed on another keyboard make the same key.
 */
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
