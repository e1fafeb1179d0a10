import { plural } from '../../i18n/translate.ts'

/** A size in words. */
export function sayBytes(bytes: number): string {
  return plural(bytes, '{count} byte', '{count} bytes')
}
