import { useState } from 'preact/hooks'

let count = 0

/** Returns an element id unique in the document. Preact's own ids restart with each root render. */
export function useId(): string {
  const [id] = useState(() => `id-${count++}`)
  return id
}
