import { useState } from 'preact/hooks'

let count = 0

/** Returns an id unique in the document. Preact's ids restart with each root render. */
export function useId(): string {
  const [id] = useState(() => `id-${count++}`)
  return id
}
