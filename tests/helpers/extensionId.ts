import { createHash } from 'node:crypto'

/** Chromium's id: hash of the key, or of the path without one, in letters a to p. */
export function extensionIdOf(source: string | Buffer): string {
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 32)
  return hash.replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)))
}
