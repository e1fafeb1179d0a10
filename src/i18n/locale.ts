import { type Language, languages } from '../domain/preferences.ts'
import { fetchTable } from './loadCatalogue.ts'
import { setLocale } from './translate.ts'

const rightToLeft = /^ar/

let newest = ''

/** Sets the language; unknown values mean `auto`. Falls back to English. */
export async function setLanguage(chosen: string): Promise<void> {
  newest = chosen
  const choice = languages.find((one) => one === chosen)
  const tag = choice ?? pickLanguage(navigator.languages)
  const language = toLanguage(tag) ?? 'en'
  const table = language === 'en' ? undefined : await fetchTable(language).catch(() => undefined)
  // Superseded by a later call.
  if (newest !== chosen) return
  const { documentElement } = document
  documentElement.lang = table ? language : 'en'
  documentElement.dir = table && rightToLeft.test(language) ? 'rtl' : 'ltr'
  setLocale({ locale: toLocale(tag) ?? language, table, dir: documentElement.dir })
}

/** Returns a locale with Latin digits, as amounts are typed. Undefined for an invalid tag. */
export function toLocale(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag, { numberingSystem: 'latn' }).toString()
  } catch {
    return undefined
  }
}

/** Returns the first supported tag, else the first, for number formats. */
export function pickLanguage(tags: readonly string[]): string {
  return tags.find(toLanguage) ?? tags[0] ?? 'en'
}

function toLanguage(tag: string): Language | undefined {
  return languages.find((one) => one === tag.split('-')[0])
}
