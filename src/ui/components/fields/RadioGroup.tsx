import { useId } from '../../hooks/useId.ts'

type Props<Value> = {
  legend: string
  options: { value: Value; label: string }[]
  value: Value
  onChange(value: Value): void
}

export function RadioGroup<Value extends string | number>({
  legend,
  options,
  value,
  onChange,
}: Props<Value>) {
  const name = useId()
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      <div class="choice-row">
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
