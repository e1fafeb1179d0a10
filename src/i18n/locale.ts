import { type Language, languages } from '../domain/preferences.ts'
import { fetchTable } from './loadCatalogue.ts'
import { setLocale } from './translate.ts'

/** Languages whose lines begin at the right. */
const rightToLeft = /^ar/

let newest = ''

/**
 * Says everything in a language from now on, by what was chosen; whatever is no language is `auto`. A language whose texts cannot be read
 * is said in English.
 */
export async function setLanguage(chosen: string): Promise<void> {
  newest = chosen
  const choice = languages.find((one) => one === chosen)
  const tag = choice ?? pickLanguage(navigator.languages)
  const language = languageOf(tag) ?? 'en'
  const table = language === 'en' ? undefined : await fetchTable(language).catch(() => undefined)
  // Another one may have been chosen meanwhile.
  if (newest !== chosen) return
  const { documentElement } = document
  documentElement.lang = table ? language : 'en'
  documentElement.dir = table && rightToLeft.test(language) ? 'rtl' : 'ltr'
  setLocale({ locale: toLocale(tag) ?? language, table, dir: documentElement.dir })
}

/** With the digits that amounts are typed in. Not every tag that a system gives its browser is one. */
export function toLocale(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag, { numberingSystem: 'latn' }).toString()
  } catch {
    return undefined
  }
}

/** The first of the user's languages that the wallet speaks, as `de-AT`; where it speaks none, numbers are still written as in the first. */
export function pickLanguage(tags: readonly string[]): string {
  return tags.find(languageOf) ?? tags[0] ?? 'en'
}

function languageOf(tag: string): Language | undefined {
  return languages.find((one) => one === tag.split('-')[0])
}
