import type { ComponentChildren } from 'preact'
import { Icon } from '../components/Icon.tsx'

type Props = { title: string; value?: ComponentChildren; onOpen(): void }

export function LinkRow({ title, value, onOpen }: Props) {
  return (
    <button type="button" class="list-row place-row" onClick={onOpen}>
      <span class="grow">{title}</span>
      {value !== undefined && <span class="dim small place-value">{value}</span>}
      <Icon name="next" size={18} />
    </button>
  )
}
