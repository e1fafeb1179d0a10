import type { SettingsState } from '../state/settings.ts'
import { tryOrUndefined } from '../state/tryOrUndefined.ts'

/**
 * Applies theme and language, cached in `memory` for the time before the worker answers. `memory` may throw.
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
  // Changed by another view.
  addEventListener('storage', paint)

  let language: string = tryOrUndefined(() => memory().language) ?? 'auto'
  const isReady = language === 'auto' && navigator.language.startsWith('en')
  return {
    /** Resolves when the language is loaded. */
    ready: isReady || speak(language),

    /** Returns true if the language changed. */
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
  return import('../i18n/locale.ts').then(({ setLanguage }) => setLanguage(language)).catch(stayAsItIs)
}

/** Falls back to English. */
function stayAsItIs(): void {}
