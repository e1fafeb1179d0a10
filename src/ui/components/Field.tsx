import type { ComponentChildren } from 'preact'
import { useId } from '../hooks/useId.ts'
import { focus } from './focus.ts'

export type FieldProps = {
  label: string
  value: string
  onInput(value: string): void
  /** The value was left for good. */
  onChange?: () => void
  type?: 'text' | 'password'
  inputMode?: 'decimal' | 'numeric' | 'url'
  autocomplete: 'off' | 'new-password' | 'current-password'
  placeholder?: string
  /** What is wrong with the value. */
  fault?: string | undefined
  hint?: string | undefined
  /** Takes the focus when it appears. */
  isFirst?: boolean
  /** Stands at the end of the value. */
  children?: ComponentChildren
}

/** A labelled text field with a line below it that is always there, so that a fault moves nothing. */
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
          // Preact's types keep each kind of input apart.
          type={type as 'text'}
          id={id}
          ref={isFirst ? focus : null}
          value={value}
          spellcheck={false}
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-line`}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
        {children}
      </span>
      <p id={`${id}-line`} class={fault === undefined ? 'line' : 'line line-bad'}>
        {fault ?? hint ?? ''}
      </p>
    </div>
  )
}
