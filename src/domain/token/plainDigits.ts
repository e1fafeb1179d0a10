import { stripInvisible } from '../sanitize.ts'

const digit = /\p{Nd}/u

/** Arabic and full-width. The Arabic thousands separator becomes a space (SI). */
const marks: Readonly<Record<string, string>> = {
  '\u060c': ',',
  '\u066a': '%',
  '\u066c': ' ',
  '\u3002': '.',
  '\uff05': '%',
  '\uff0c': ',',
  '\uff0e': '.',
}

/**
 * Converts digits and marks of any script to ASCII, without invisible characters. `decimal` replaces the
 * Arabic decimal separator.
 */
export function plainDigits(text: string, decimal: '.' | ',' = '.'): string {
  return Array.from(stripInvisible(text).trim(), (sign) => {
    if (sign === '\u066b') return decimal
    return marks[sign] ?? (digit.test(sign) ? digitValue(sign) : sign)
  }).join('')
}

/** Unicode has a script's digits in sequence from zero. */
function digitValue(sign: string): string {
  const code = sign.codePointAt(0) ?? 0
  let zero = code
  while (digit.test(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}
