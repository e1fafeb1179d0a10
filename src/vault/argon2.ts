import { argon2id } from 'hash-wasm'
import { type Bytes, fromHex } from './bytes.ts'
import type { Kdf } from './records.ts'

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
