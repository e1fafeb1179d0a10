import type { ComponentChildren } from 'preact'

export function Alert({ what, children }: { what: ComponentChildren; children?: ComponentChildren }) {
  return (
    <div class="note note-bad" role="alert">
      <strong>{what}</strong>
      {children}
    </div>
  )
}
