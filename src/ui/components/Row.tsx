import type { ComponentChildren } from 'preact'

/** Row of a `dl`. */
export function Row({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="num">{children}</dd>
    </div>
  )
}
