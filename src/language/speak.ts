import { type Language, type LanguageChoice, languages } from '../domain/display.ts'
import { setSpoken } from './translate.ts'

/** What each language calls itself, and where its lines begin. */
export const spokenLanguages: Record<Language, { name: string; dir: 'ltr' | 'rtl' }> = {
  en: { name: 'English', dir: 'ltr' },
  de: { name: 'Deutsch', dir: 'ltr' },
}

let latest = 0

/** Says everything in a language from now on. A language whose texts cannot be read is said in English. */
export async function speak(choice: LanguageChoice): Promise<void> {
  latest += 1
  const mine = latest
  const wanted = languageOf(choice)
  const table = wanted === 'en' ? undefined : await load(wanted)
  // Another one was chosen meanwhile.
  if (mine !== latest) return
  const language = table === undefined ? 'en' : wanted
  setSpoken({ locale: localeOf(choice), table })
  document.documentElement.lang = language
  document.documentElement.dir = spokenLanguages[language].dir
}

/** What Intl writes numbers and dates by. Their digits are those that amounts are typed in. */
export function localeOf(choice: LanguageChoice): string {
  return `${choice === 'auto' ? navigator.language : choice}-u-nu-latn`
}

/** The first of the user's languages that the wallet speaks. */
function languageOf(choice: LanguageChoice): Language {
  if (choice !== 'auto') return choice
  const [known] = navigator.languages.flatMap((tag) => languages.filter((one) => one === tag.split('-')[0]))
  return known ?? 'en'
}

async function load(language: Language) {
  try {
    const { fetchTable } = await import('./table.ts')
    return await fetchTable(language)
  } catch {
    return undefined
  }
}
