/** Ref callback that focuses on mount. `autofocus` works once per document. */
export function focus(element: HTMLElement | null): void {
  element?.focus()
}
