import { useRest } from '../../hooks/useRest.ts'

type Props = {
  label: string
  isTicked: boolean
  /** True without a warning above. */
  isCalm?: boolean
  onTick(isTicked: boolean): void
}

/** Acknowledges a warning. Rests like a confirming button (rest.ts). */
export function Checkbox({ label, isTicked, isCalm = false, onTick }: Props) {
  const { isResting, isRestingNow } = useRest(label)
  return (
    <label class={isCalm ? 'tick tick-calm' : 'tick'}>
      <input
        type="checkbox"
        checked={isTicked}
        aria-disabled={isResting}
        onClick={(event) => {
          if (isRestingNow()) event.preventDefault()
        }}
        onChange={(event) => onTick(event.currentTarget.checked)}
      />
      {label}
    </label>
  )
}
