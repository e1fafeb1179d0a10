import type { ComponentChildren } from 'preact'
import { Icon } from '../components/Icon.tsx'

type Props = {
  title: string
  value?: ComponentChildren
  /** Shown beside the menu. */
  isOpen?: boolean
  onOpen(): void
}

export function LinkRow({ title, value, isOpen = false, onOpen }: Props) {
  return (
    <button
      type="button"
      class="list-row place-row"
      aria-current={isOpen ? 'page' : undefined}
      onClick={onOpen}
    >
      <span class="grow">{title}</span>
      {value !== undefined && <span class="dim small place-value">{value}</span>}
      <Icon name="next" size={18} />
    </button>
  )
}
