/** A key listener for single letters that mean nothing in the field they are typed into: an amount has no letters. */
export function shortcut(acts: Record<string, () => unknown>): (event: KeyboardEvent) => void {
  return (event) => {
    const act = acts[event.key.toLowerCase()]
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    act()
  }
}
