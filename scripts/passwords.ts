import { gzipSync } from 'node:zlib'
import { dictionary } from '@zxcvbn-ts/language-common'

/** The commonest passwords, the commonest first: half of what they take as the package's own code. src/vault/strength.ts reads them. */
export function packPasswords(): Buffer {
  return gzipSync(dictionary['passwords-common'].join('\n'), { level: 9 })
}
