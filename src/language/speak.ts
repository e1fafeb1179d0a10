import { type Language, languageChoices, languages } from '../domain/display.ts'
import { fetchTable } from './table.ts'
import { setSpoken } from './translate.ts'

/** Languages whose lines begin at the right. */
const rightToLeft = /^ar/

let newest = ''

/**
 * Says everything in a language from now on, by what was chosen; whatever is no choice is `auto`. A language whose texts cannot be read
 * is said in English.
 */
export async function speak(chosen: string): Promise<void> {
  newest = chosen
  const choice = languageChoices.find((one) => one === chosen) ?? 'auto'
  const language = choice === 'auto' ? firstOf(navigator.languages) : choice
  const table = language === 'en' ? undefined : await fetchTable(language).catch(() => undefined)
  // Another one may have been chosen meanwhile.
  if (newest !== chosen) return
  const { documentElement } = document
  documentElement.lang = table ? language : 'en'
  documentElement.dir = table && rightToLeft.test(language) ? 'rtl' : 'ltr'
  // With the digits that amounts are typed in.
  const locale = `${choice === 'auto' ? navigator.language : choice}-u-nu-latn`
  setSpoken({ locale, table, dir: documentElement.dir })
}

/** The first of the user's languages that the wallet speaks. */
export function firstOf(tags: readonly string[]): Language {
  const [known = 'en'] = tags.flatMap((tag) => languages.filter((one) => one === tag.split('-')[0]))
  return known
}
