import { useState } from 'preact/hooks'

let count = 0

/** An id for an element that another one names: of this page alone. Preact's own begin anew whenever the page is drawn from its root. */
export function useId(): string {
  const [id] = useState(() => `id-${count++}`)
  return id
}
