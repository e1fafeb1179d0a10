import { type Html, html } from './html.ts'

/** Paragraphs with an empty line between. */
export function prose(text: string): Html {
  return html`${text.split('\n\n').map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`
}

/** One line, in which `code` is set as such. */
export function inline(text: string): Html {
  return html`${text.split('`').map((part, i) => (i % 2 === 0 ? part : html`<code>${part}</code>`))}`
}
