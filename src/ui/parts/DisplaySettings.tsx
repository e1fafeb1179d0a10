import {
  type Language,
  type LanguageChoice,
  languageChoices,
  type Theme,
  themes,
} from '../../domain/display.ts'
import type { Settings } from '../../domain/network.ts'
import { t, wording } from '../../language/translate.ts'
import { useStores, useTask } from '../use.ts'
import { ErrorNote } from './ErrorNote.tsx'

const themeNames: Record<Theme, string> = {
  system: wording('As the system'),
  light: wording('Light'),
  dark: wording('Dark'),
}

/** As each calls itself: whoever does not read this one looks for their own. */
const ownNames: Record<Language, string> = { en: 'English', de: 'Deutsch' }

/** In which language, and how bright. */
export function DisplaySettings({ settings: { language, theme } }: { settings: Settings }) {
  const { settings } = useStores()
  const save = useTask(settings.save)
  const languages = languageChoices.map((value) => ({
    value,
    name: value === 'auto' ? t('As the browser') : ownNames[value],
  }))
  return (
    <>
      <div class="panel group">
        <Select<LanguageChoice>
          label={t('Language')}
          value={language}
          options={languages}
          onChange={(chosen) => save.run({ language: chosen })}
        />
        <Select<Theme>
          label={t('Theme')}
          value={theme}
          options={themes.map((value) => ({ value, name: t(themeNames[value]) }))}
          onChange={(chosen) => save.run({ theme: chosen })}
        />
      </div>
      {save.error && <ErrorNote error={save.error} />}
    </>
  )
}

type SelectProps<Value> = {
  label: string
  value: Value
  options: { value: Value; name: string }[]
  onChange(value: Value): void
}

function Select<Value extends string>({ label, value, options, onChange }: SelectProps<Value>) {
  return (
    <label class="list-row">
      <span class="grow">{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as Value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.name}
          </option>
        ))}
      </select>
    </label>
  )
}
