import type { ComponentChildren } from 'preact'
import { useId } from '../../hooks/useId.ts'
import { focus } from '../focus.ts'

export type FieldProps = {
  label: string
  value: string
  onInput(value: string, event: InputEvent & { currentTarget: HTMLInputElement }): void
  onBeforeInput?: (event: InputEvent & { currentTarget: HTMLInputElement }) => void
  /** Called on the `change` event. */
  onChange?: () => void
  type?: 'text' | 'password'
  inputMode?: 'decimal' | 'numeric' | 'url'
  autocomplete: 'off' | 'new-password' | 'current-password'
  placeholder?: string
  fault?: string | undefined
  hint?: string | undefined
  isFirst?: boolean
  children?: ComponentChildren
}

/** Text field whose error line is always present, to avoid layout shifts. */
export function Field({
  label,
  value,
  onInput,
  fault,
  hint,
  type = 'text',
  isFirst = false,
  children,
  ...input
}: FieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <span class="field-line">
        <input
          {...input}
          // Preact types each input kind separately.
          type={type as 'text'}
          id={id}
          ref={isFirst ? focus : null}
          value={value}
          spellcheck={false}
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-line`}
          onInput={(event) => onInput(event.currentTarget.value, event)}
        />
        {children}
      </span>
      <p id={`${id}-line`} class={fault === undefined ? 'line' : 'line line-bad'}>
        {fault ?? hint ?? ''}
      </p>
    </div>
  )
}
