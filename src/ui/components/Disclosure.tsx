import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Icon } from './Icon.tsx'

/** What most people need not see, one press away. It is drawn only while it is open: some of it is long. */
export function Fold({ title, children }: { title: string; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="panel fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="list-row">
        <span class="grow">{title}</span>
        <Icon name="down" size={16} />
      </summary>
      {isOpen && children}
    </details>
  )
}
