import { useState } from 'preact/hooks'
import { useStores, useTask } from '../use.ts'
import { ErrorNote } from './ErrorNote.tsx'
import { Field } from './Field.tsx'

const longestMinutes = 60
const range = `A whole number from 1 to ${longestMinutes}.`

/** How long the wallet stays open while nobody uses it. */
export function AutoLock({ minutes }: { minutes: number }) {
  const { settings } = useStores()
  const [text, setText] = useState(String(minutes))
  const typed = /^\d+$/.test(text.trim()) ? Number(text) : 0
  const isValid = typed >= 1 && typed <= longestMinutes
  const save = useTask(settings.save)
  const keep = () => {
    if (isValid && typed !== minutes) save.run({ autoLockMinutes: typed })
  }
  return (
    <div class="group-field beside">
      <Field
        label="Minutes until it locks itself"
        inputMode="numeric"
        autocomplete="off"
        value={text}
        onInput={setText}
        onChange={keep}
        fault={isValid ? undefined : range}
        hint={range}
      />
      {save.error && (
        <ErrorNote error={save.error}>
          <button type="button" class="link" onClick={keep}>
            Try again
          </button>
        </ErrorNote>
      )}
    </div>
  )
}
