import { useId } from '../../hooks/useId.ts'

type Props = { label: string; hint?: string; isOn: boolean; onChange(isOn: boolean): void }

export function Switch({ label, hint, isOn, onChange }: Props) {
  const id = useId()
  return (
    <label class="list-row switch-row">
      <span class="grow">
        {label}
        {hint && (
          <span id={id} class="dim small switch-hint">
            {hint}
          </span>
        )}
      </span>
      <input
        type="checkbox"
        role="switch"
        class="switch"
        aria-describedby={hint && id}
        checked={isOn}
        aria-checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </label>
  )
}
