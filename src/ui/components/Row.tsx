import type { ComponentChildren } from 'preact'

/** One line of a list of facts (`dl`). */
export function Row({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="num">{children}</dd>
    </div>
  )
}
