import type { ComponentChildren } from 'preact'
import { Icon } from '../Icon.tsx'

type Props = { label: string; onPress(): void; children: ComponentChildren }

export function EditableValue({ label, onPress, children }: Props) {
  return (
    <button type="button" class="chip num" aria-haspopup="dialog" title={label} onClick={onPress}>
      {children} <Icon name="down" size={12} />
    </button>
  )
}
