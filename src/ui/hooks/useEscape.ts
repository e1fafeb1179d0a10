import { useEffect, useRef } from 'preact/hooks'

type Layer = { close(): void }

/** Layers that are open over the tab, the topmost last. Sheets stand over pages, whichever appeared first. */
const layers: Record<'page' | 'sheet', Layer[]> = { page: [], sheet: [] }

/** Lets Escape close the topmost layer of this document. Answers what ends it. */
export function watchEscape(): () => void {
  document.addEventListener('keydown', closeTopmost)
  return () => document.removeEventListener('keydown', closeTopmost)
}

function closeTopmost(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
  const topmost = layers.sheet.at(-1) ?? layers.page.at(-1)
  if (topmost === undefined) return
  // The browser closes the whole toolbar popup by an Escape that no page takes.
  event.preventDefault()
  topmost.close()
}

/**
 * Lets Escape call `close` while no other layer stands above. Nothing is registered while it is undefined.
 */
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
