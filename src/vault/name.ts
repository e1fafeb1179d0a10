import { WalletError } from '../errors.ts'

/**
 * 1 to 32 characters, one of them to be seen: no control, format or bidi marks, no line ends, no letters that draw nothing. They make a
 * name look like another, or like none.
 */
const nameShape = /^(?=.*[^\s\p{M}])[^\p{C}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]{1,32}$/u

/** The name of an account as typed, without white space around it. Throws a WalletError `invalid-input`. */
export function parseName(value: unknown): string {
  const name = typeof value === 'string' ? value.trim() : ''
  if (nameShape.test(name)) return name
  throw new WalletError('invalid-input', 'A name has 1 to 32 characters that can be seen.')
}
