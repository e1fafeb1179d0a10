import type { Language, LanguageChoice, Theme } from '../../domain/preferences.ts'
import { defineMessage, t } from '../../i18n/translate.ts'

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

export function languageName(choice: LanguageChoice): string {
  return choice === 'auto' ? t('Browser default') : ownNames[choice]
}
