import type { Language } from '../domain/preferences.ts'
import type { Catalogue, PluralForms } from './translate.ts'

/**
 * Fetches a catalogue (scripts/packCatalogues.ts). Drops translations missing a placeholder. Throws an Error.
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

/** Throws an Error. */
export async function readPacked(url: string): Promise<string> {
  const { ok, status, body } = await fetch(url)
  if (!ok || body === null) throw new Error(`${url} answered ${status}.`)
  return new Response(body.pipeThrough(new DecompressionStream('gzip'))).text()
}

function isWhole(translation: string, text: string): boolean {
  return [...text.matchAll(/\{\w+\}/g)].every(([name]) => translation.includes(name))
}
