import { createHash } from 'node:crypto'

/** Returns Chromium's extension id: the SHA-256 of its key, or of its path without one, in letters a to p. */
export function extensionIdOf(source: string | Buffer): string {
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 32)
  return hash.replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)))
}
