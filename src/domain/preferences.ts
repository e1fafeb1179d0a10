/** The languages that the wallet speaks, named as in BCP 47. */
export const languages = ['en', 'de', 'es', 'fr', 'zh', 'ar'] as const
export type Language = (typeof languages)[number]

/** `auto` is what the browser speaks, where the wallet speaks it too. */
export const languageChoices = ['auto', ...languages] as const
export type LanguageChoice = (typeof languageChoices)[number]

/** `system` is what the computer shows everywhere else. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]
