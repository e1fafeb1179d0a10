type Actions = Record<string, () => unknown>

/**
 * Answers a key listener. `actions` are named by a sign ("?"), by "enter", or by a letter with Alt ("alt+f").
 * A letter or a sign alone is part of what somebody types in a field. Only "?" acts in an amount field, too, where it
 * means nothing.
 */
export function shortcut(actions: Actions): (event: KeyboardEvent) => void {
  return (event) => {
    const act = actions[nameOf(event)]
    if (act === undefined || event.ctrlKey || event.metaKey || event.defaultPrevented) return
    if (document.querySelector('dialog') !== null || isForField(event)) return
    event.preventDefault()
    act()
  }
}

function nameOf({ altKey, key, code }: KeyboardEvent): string {
  if (!altKey) return key.toLowerCase()
  // Alt writes another sign on some systems ("ƒ" on macOS): there the place on the keyboard says which letter
  // it is.
  return `alt+${(/^[a-z]$/i.test(key) ? key : code.replace(/^Key/, '')).toLowerCase()}`
}

const otherFields = 'select, textarea, input:not(.figure)'
const fields = `${otherFields}, input`
// A control that has the focus takes Enter itself.
const controls = `${fields}, button, a, summary`

function isForField({ target, key, altKey }: KeyboardEvent): boolean {
  if (!(target instanceof Element) || altKey) return false
  const taken = key === 'Enter' ? controls : key === '?' ? otherFields : fields
  return target.closest(taken) !== null
}
