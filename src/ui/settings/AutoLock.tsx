import { useState } from 'preact/hooks'
import { plainDigits } from '../../domain/token/plainDigits.ts'
import { t } from '../../i18n/translate.ts'
import { ErrorMessage } from '../components/ErrorMessage.tsx'
import { Field } from '../components/Field.tsx'
import { useMutation } from '../hooks/useMutation.ts'
import { useStores } from '../hooks/useStore.ts'

const longestMinutes = 60

export function AutoLock({ minutes }: { minutes: number }) {
  const { settings } = useStores()
  const range = t('Enter a whole number from {least} to {most}', { least: 1, most: longestMinutes })
  const [text, setText] = useState(String(minutes))
  const digits = plainDigits(text)
  const typed = /^\d+$/.test(digits) ? Number(digits) : 0
  const isValid = typed >= 1 && typed <= longestMinutes
  const save = useMutation(settings.save)
  const keep = () => {
    if (isValid && typed !== minutes) save.run({ autoLockMinutes: typed })
  }
  return (
    <div class="group-field beside">
      <Field
        label={t('Auto-lock (minutes)')}
        inputMode="numeric"
        autocomplete="off"
        value={text}
        onInput={setText}
        onChange={keep}
        fault={isValid ? undefined : range}
        hint={range}
      />
      {save.error && (
        <ErrorMessage error={save.error}>
          <button type="button" class="link" onClick={keep}>
            {t('Try again')}
          </button>
        </ErrorMessage>
      )}
    </div>
  )
}
