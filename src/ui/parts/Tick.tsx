type Props = { label: string; isTicked: boolean; onTick(isTicked: boolean): void }

/** A box to tick before the user may go on in spite of a warning. */
export function Tick({ label, isTicked, onTick }: Props) {
  return (
    <label class="tick">
      <input type="checkbox" checked={isTicked} onChange={(event) => onTick(event.currentTarget.checked)} />
      {label}
    </label>
  )
}
