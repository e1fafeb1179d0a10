/** As a ref: the element takes the focus when it appears. The attribute only does so once in a document's life. */
export function focus(element: HTMLElement | null): void {
  element?.focus()
}
