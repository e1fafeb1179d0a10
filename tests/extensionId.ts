import { createHash } from 'node:crypto'

/** By which Chromium knows an extension: the hash of its key, or of its folder's path where it has none, in the letters from a to p. */
export function extensionIdOf(source: string | Buffer): string {
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 32)
  return hash.replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)))
}
