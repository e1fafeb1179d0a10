import { type LanguageChoice, languageChoices } from '../domain/display.ts'
import { speak } from '../language/speak.ts'
import type { SettingsState } from '../state/settings.ts'

/** What of the settings a view shows before the worker has told them: a copy in the pages' own storage. */
export type Memory = Pick<Storage, 'getItem' | 'setItem'>

/** The language that was chosen last, as far as this page knows. */
export function rememberedLanguage(memory: Memory): LanguageChoice {
  const remembered = memory.getItem('language')
  return languageChoices.find((one) => one === remembered) ?? 'auto'
}

/** Lets a view look and speak as the settings say. Answers whether another language is spoken since. */
export function createDisplay(memory: Memory) {
  let language = rememberedLanguage(memory)
  const ready = speak(language)
  return {
    /** The texts are here. */
    ready,

    async follow({ settings }: SettingsState): Promise<boolean> {
      if (settings === undefined) return false
      if (settings.theme !== memory.getItem('theme')) {
        memory.setItem('theme', settings.theme)
        // The browser tells the other views; public/theme.js paints this one as well.
        dispatchEvent(new Event('storage'))
      }
      memory.setItem('language', settings.language)
      if (settings.language === language) return false
      language = settings.language
      await speak(language)
      return true
    },
  }
}
