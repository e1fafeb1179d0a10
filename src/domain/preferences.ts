export const languages = ['en', 'de', 'es', 'fr', 'zh', 'ar'] as const
export type Language = (typeof languages)[number]

export const languageChoices = ['auto', ...languages] as const
export type LanguageChoice = (typeof languageChoices)[number]

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]
