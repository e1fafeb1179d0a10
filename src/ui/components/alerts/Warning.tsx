import type { ComponentChildren } from 'preact'
import { Icon } from '../Icon.tsx'

export function Warning({ children }: { children: ComponentChildren }) {
  return (
    <div class="note note-warn">
      <Icon name="warn" size={18} />
      <p>{children}</p>
    </div>
  )
}
