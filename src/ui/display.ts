import { tryOrUndefined } from '../state/attempt.ts'
import type { SettingsState } from '../state/settings.ts'

/**
 * Lets a view look and speak as the settings say. What they said last stands in `memory`: a view starts before the worker answers, and is
 * painted in its theme at once. A browser that keeps none opens all the same.
 */
export function createDisplay(memory: () => Storage) {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const paint = () => {
    const theme = tryOrUndefined(() => memory().theme)
    const isDark = theme === 'dark' || (theme !== 'light' && system.matches)
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
  }
  paint()
  system.addEventListener('change', paint)
  // Another view has changed it.
  addEventListener('storage', paint)

  let language: string = tryOrUndefined(() => memory().language) ?? 'auto'
  // Whoever speaks English anyway needs nothing.
  const isReady = language === 'auto' && navigator.language.startsWith('en')
  return {
    /** The language that was chosen last is spoken. */
    ready: isReady || speak(language),

    /** Answers whether another language is spoken since. */
    async follow({ settings }: SettingsState): Promise<boolean> {
      if (settings === undefined) return false
      const { theme, language: chosen } = settings
      tryOrUndefined(() => Object.assign(memory(), { theme, language: chosen }))
      paint()
      if (chosen === language) return false
      language = chosen
      await speak(language)
      return true
    },
  }
}

function speak(language: string): Promise<void> {
  return import('../i18n/locale.ts').then(({ setLanguage: speak }) => speak(language)).catch(stayAsItIs)
}

/** Better English than nothing. */
function stayAsItIs(): void {}
