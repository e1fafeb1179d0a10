import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Icon } from './Icon.tsx'

/** Renders its content only while open, since it may be long. */
export function Disclosure({ title, children }: { title: string; children: ComponentChildren }) {
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
