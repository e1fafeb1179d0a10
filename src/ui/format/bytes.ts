import { plural } from '../../i18n/translate.ts'

export function formatBytes(bytes: number): string {
  return plural(bytes, '{count} byte', '{count} bytes')
}
