import { useRest } from '../hooks/useRest.ts'

type Props = {
  label: string
  isTicked: boolean
  /** No warning stands above it. */
  isCalm?: boolean
  onTick(isTicked: boolean): void
}

/** A box to tick before the user may go on in spite of a warning. It rests like the button that it opens (rest.ts). */
export function Tick({ label, isTicked, isCalm = false, onTick }: Props) {
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
