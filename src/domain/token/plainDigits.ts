import { withoutUnseen } from '../sanitize.ts'

const digit = /\p{Nd}/u

/**
 * Marks of numbers in Arabic and full-width writing. The Arabic thousands separator becomes a space, as SI
 * sets it.
 */
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
 * A typed number with the decimal digits of any script, and the marks that go with them, in ASCII. Invisible
 * characters are left out, and so is white space around. `decimal` stands for the Arabic decimal separator.
 */
export function plainDigits(text: string, decimal: '.' | ',' = '.'): string {
  return Array.from(withoutUnseen(text).trim(), (sign) => {
    if (sign === '\u066b') return decimal
    return marks[sign] ?? (digit.test(sign) ? digitValue(sign) : sign)
  }).join('')
}

/**
 * Unicode has the digits of a script side by side from zero on, so that the run of digits before this one is
 * its value.
 */
function digitValue(sign: string): string {
  const code = sign.codePointAt(0) ?? 0
  let zero = code
  while (digit.test(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}
