import { WalletError } from '../errors.ts'

/** No control, format, bidi or blank characters, which allow lookalike names. */
const nameShape = /^(?=.*[^\s\p{M}])[^\p{C}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]{1,32}$/u

/** Throws `invalid-input`. */
export function parseName(value: unknown): string {
  const name = typeof value === 'string' ? value.trim() : ''
  if (nameShape.test(name)) return name
  throw new WalletError('invalid-input', 'A name has 1 to 32 characters that can be seen.')
}
