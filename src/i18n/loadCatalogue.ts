import type { Language } from '../domain/preferences.ts'
import type { Catalogue, PluralForms } from './translate.ts'

/**
 * The texts of a language, from two files of the extension's own (scripts/packCatalogues.ts): every English text, and what they are in the
 * same order. One that would leave out a value stays English. Throws an Error when a file cannot be had whole.
 */
export async function fetchTable(language: Language, read = readPacked): Promise<Catalogue> {
  const [english, said] = await Promise.all([read('/en.gz'), read(`/${language}.gz`)])
  const texts: string[] = JSON.parse(english)
  const translations: (string | PluralForms | null)[] = JSON.parse(said)
  return new Map(
    texts.flatMap((text, at) => {
      const one = translations[at]
      return one && isWhole(typeof one === 'string' ? one : one.other, text) ? [[text, one] as const] : []
    }),
  )
}

/** The text of one of the extension's own packed files. Throws an Error when it cannot be had. */
export async function readPacked(url: string): Promise<string> {
  const { ok, status, body } = await fetch(url)
  if (!ok || body === null) throw new Error(`${url} answered ${status}.`)
  return new Response(body.pipeThrough(new DecompressionStream('gzip'))).text()
}

/** Whether all that is put into the English text has a place. */
function isWhole(translation: string, text: string): boolean {
  return [...text.matchAll(/\{\w+\}/g)].every(([name]) => translation.includes(name))
}
