type Acts = Record<string, () => unknown>

/** A key listener for single keys. An amount has no letters, so its field may have them; what is written elsewhere is left alone. */
export function shortcut(acts: Acts): (event: KeyboardEvent) => void {
  return (event) => {
    const act = acts[event.key.toLowerCase()]
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (isElsewhere(event.target, event.key)) return
    event.preventDefault()
    act()
  }
}

const writing = 'select, textarea, input:not(.figure)'
// A control that has the focus takes this one itself.
const pressed = `${writing}, input, button, a, summary`

function isElsewhere(target: EventTarget | null, key: string): boolean {
  if (document.querySelector('dialog') !== null) return true
  return target instanceof Element && target.closest(key === 'Enter' ? pressed : writing) !== null
}
