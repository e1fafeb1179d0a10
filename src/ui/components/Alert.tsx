import type { ComponentChildren } from 'preact'

/** Something is wrong enough to stop at. */
export function Stop({ what, children }: { what: ComponentChildren; children?: ComponentChildren }) {
  return (
    <div class="note note-bad" role="alert">
      <strong>{what}</strong>
      {children}
    </div>
  )
}
