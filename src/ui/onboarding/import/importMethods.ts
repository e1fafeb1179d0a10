import { defineMessage } from '../../../i18n/translate.ts'

/** What somebody may have already. */
export const importMethods = [
  {
    method: 'phrase',
    name: defineMessage('A recovery phrase'),
    hint: defineMessage('12 to 24 words, of any wallet'),
  },
  { method: 'key', name: defineMessage('A private key'), hint: defineMessage('64 digits, for one account') },
  {
    method: 'keystore',
    name: defineMessage('A keystore file'),
    hint: defineMessage('JSON with a password of its own'),
  },
  {
    method: 'watched',
    name: defineMessage('An address to watch'),
    hint: defineMessage('To look at, without its key'),
  },
] as const

export type ImportMethod = (typeof importMethods)[number]['method']

/** A method as a page's address names it. */
export function parseImportMethod(text: string | undefined): ImportMethod | undefined {
  return importMethods.find(({ method }) => method === text)?.method
}
