import { useState } from 'preact/hooks'
import type { Settings } from '../../domain/network/network.ts'
import { type LanguageChoice, languageChoices, type Theme, themes } from '../../domain/preferences.ts'
import { type Currency, currencies } from '../../domain/value/currency.ts'
import { t } from '../../i18n/translate.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Warning } from '../components/alerts/Warning.tsx'
import { Switch } from '../components/fields/Switch.tsx'
import { formatPercent } from '../format/numbers.ts'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStores } from '../hooks/data/useStore.ts'
import { currencyName, languageName, themeNames } from '../messages/display.ts'
import { notificationText } from '../notifications.ts'
import type { ScreenProps } from '../screenProps.ts'
import { SlippageSheet } from '../swap/slippage/SlippageSheet.tsx'
import { SettingSwitch } from './SettingSwitch.tsx'

export function PreferenceSettings({ settings }: ScreenProps) {
  const { language, theme, currency, slippageBps } = settings
  const stores = useStores()
  const [isChoosing, setChoosing] = useState(false)
  const save = useMutation(stores.settings.save)
  const languages = languageChoices.map((value) => ({ value, name: languageName(value) }))
  return (
    <>
      <div class="panel group">
        <button type="button" class="list-row" aria-haspopup="dialog" onClick={() => setChoosing(true)}>
          <span class="grow">{t('Default slippage')}</span>
          <span class="num dim">{slippageBps === undefined ? t('Auto') : formatPercent(slippageBps)}</span>
        </button>
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
        <Select<Currency>
          label={t('Currency')}
          value={currency}
          options={currencies.map((value) => ({ value, name: currencyName(value) }))}
          onChange={(chosen) => save.run({ currency: chosen })}
        />
        <SettingSwitch
          name="showValues"
          settings={settings}
          label={t('Show values')}
          hint={t('From price oracles and pools through your RPC, else from your swap service.')}
        />
        <SettingSwitch
          name="shortcuts"
          settings={settings}
          label={t('Keyboard shortcuts')}
          hint={t('Press ? on any screen to see them.')}
        />
        <NotificationSwitch settings={settings} />
      </div>
      {save.error && <ErrorMessage error={save.error} />}
      {isChoosing && (
        <SlippageSheet
          title={t('Default slippage')}
          isDefault
          value={slippageBps}
          onChoose={(bps) => save.run({ slippageBps: bps ?? null })}
          onClose={() => setChoosing(false)}
        />
      )}
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

/** Stays off until the browser grants the permission. */
function NotificationSwitch({ settings: { notices } }: { settings: Settings }) {
  const { settings } = useStores()
  const [isRefused, setRefused] = useState(false)
  const [wanted, setWanted] = useState(false)
  const save = useMutation(async (isOn: boolean) => {
    setRefused(!(await settings.setNotices(isOn ? notificationText() : undefined)))
  })
  const change = (isOn: boolean) => {
    setWanted(isOn)
    save.run(isOn)
  }
  return (
    <>
      <Switch
        label={t('Transaction notifications')}
        hint={t('Sent while Sluice is closed, without amounts or names.')}
        isOn={save.isRunning ? wanted : notices !== undefined}
        onChange={change}
      />
      {isRefused && <Warning>{t('Your browser blocked notifications. Nothing was changed.')}</Warning>}
      {save.error && <ErrorMessage error={save.error} />}
    </>
  )
}
