import type { Settings } from '../../domain/network/network.ts'
import { type LanguageChoice, languageChoices, type Theme, themes } from '../../domain/preferences.ts'
import { t } from '../../i18n/translate.ts'
import { ErrorNote } from '../components/ErrorMessage.tsx'
import { useMutation } from '../hooks/useMutation.ts'
import { useStores } from '../hooks/useStore.ts'
import { languageName, themeNames } from '../messages/display.ts'
import { SettingSwitch } from './SettingSwitch.tsx'

/** The language, the theme, and whether keys act on screens. */
export function DisplaySettings({ settings }: { settings: Settings }) {
  const { language, theme } = settings
  const stores = useStores()
  const save = useMutation(stores.settings.save)
  const languages = languageChoices.map((value) => ({
    value,
    name: languageName(value),
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
        <SettingSwitch
          name="shortcuts"
          settings={settings}
          label={t('Keyboard shortcuts')}
          hint={t('Press ? on any screen to see them.')}
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
