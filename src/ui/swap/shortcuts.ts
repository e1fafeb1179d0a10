type Actions = Record<string, () => unknown>

/**
 * Returns a key listener. `actions` are keyed by character ("?"), "enter" or Alt letter ("alt+f"). Fields
 * ignore characters, except "?" in amount fields.
 */
export function shortcut(actions: Actions): (event: KeyboardEvent) => void {
  return (event) => {
    const act = actions[toName(event)]
    if (act === undefined || event.ctrlKey || event.metaKey || event.defaultPrevented) return
    if (document.querySelector('dialog') !== null || isForField(event)) return
    event.preventDefault()
    act()
  }
}

function toName({ altKey, key, code }: KeyboardEvent): string {
  if (!altKey) return key.toLowerCase()
  // Alt changes the character on some systems ("ƒ" on macOS): falls back to the physical key.
  return `alt+${(/^[a-z]$/i.test(key) ? key : code.replace(/^Key/, '')).toLowerCase()}`
}

const otherFields = 'select, textarea, input:not(.figure)'
const fields = `${otherFields}, input`
// Focused controls handle Enter themselves.
const controls = `${fields}, button, a, summary`

function isForField({ target, key, altKey }: KeyboardEvent): boolean {
  if (!(target instanceof Element) || altKey) return false
  const taken = key === 'Enter' ? controls : key === '?' ? otherFields : fields
  return target.closest(taken) !== null
}
