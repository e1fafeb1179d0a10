import type { Language, LanguageChoice, Theme } from '../../domain/preferences.ts'
import type { Currency } from '../../domain/value/currency.ts'
import { defineMessage, spokenLocale, t } from '../../i18n/translate.ts'

export const themeNames: Record<Theme, string> = {
  system: defineMessage('System'),
  light: defineMessage('Light'),
  dark: defineMessage('Dark'),
}

/** In their own names. */
const ownNames: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  zh: '简体中文',
  ar: 'العربية',
}

/** Returns the code with its name in the language shown. */
export function currencyName(currency: Currency): string {
  const name = new Intl.DisplayNames(spokenLocale(), { type: 'currency' }).of(currency)
  return name === undefined ? currency : `${currency} · ${name}`
}

export function languageName(choice: LanguageChoice): string {
  return choice === 'auto' ? t('Browser default') : ownNames[choice]
}
