import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from './Icon.tsx'

type Props = {
  title: string
  /** Beside the title. */
  mark?: ComponentChildren
  /** Opens it, also later; the user may close it. */
  isOpen?: boolean
  children: ComponentChildren
}

/** Renders its content only while open, since it may be long. */
export function Disclosure({ title, mark, isOpen: isAsked = false, children }: Props) {
  const [isOpen, setOpen] = useState(isAsked)
  useEffect(() => {
    if (isAsked) setOpen(true)
  }, [isAsked])
  return (
    <details class="panel fold" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="list-row">
        <span class="grow">{title}</span>
        {mark}
        <Icon name="down" size={16} />
      </summary>
      {isOpen && children}
    </details>
  )
}
