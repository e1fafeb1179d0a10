import { useEffect, useRef } from 'preact/hooks'

type Layer = { close(): void }

/** Topmost last. Sheets are above pages. */
const layers: Record<'page' | 'sheet', Layer[]> = { page: [], sheet: [] }

/** Closes the topmost layer on Escape. Returns its stop function. */
export function watchEscape(): () => void {
  document.addEventListener('keydown', closeTopmost)
  return () => document.removeEventListener('keydown', closeTopmost)
}

function closeTopmost(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
  const topmost = layers.sheet.at(-1) ?? layers.page.at(-1)
  if (topmost === undefined) return
  // An unhandled Escape closes the toolbar popup.
  event.preventDefault()
  topmost.close()
}

/** Calls `close` on Escape while topmost. */
export function useEscape(kind: keyof typeof layers, close: (() => void) | undefined): void {
  const latest = useRef(close)
  latest.current = close
  const isOpen = close !== undefined
  useEffect(() => {
    if (!isOpen) return
    const open = layers[kind]
    const layer: Layer = { close: () => latest.current?.() }
    open.push(layer)
    return () => void open.splice(open.indexOf(layer), 1)
  }, [kind, isOpen])
}
