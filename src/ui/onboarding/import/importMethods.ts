import { wording } from '../../../i18n/translate.ts'

/** What somebody may have already. */
export const importMethods = [
  {
    method: 'phrase',
    name: wording('A recovery phrase'),
    hint: wording('12 to 24 words, of any wallet'),
  },
  { method: 'key', name: wording('A private key'), hint: wording('64 digits, for one account') },
  {
    method: 'keystore',
    name: wording('A keystore file'),
    hint: wording('JSON with a password of its own'),
  },
  { method: 'watched', name: wording('An address to watch'), hint: wording('To look at, without its key') },
] as const

export type ImportMethod = (typeof importMethods)[number]['method']

/** A method as a page's address names it. */
export function parseImportMethod(text: string | undefined): ImportMethod | undefined {
  return importMethods.find(({ method }) => method === text)?.method
}
