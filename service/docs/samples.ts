import type { DocumentedOperation } from '../api/openapiOperation.ts'
import { type Html, html } from './html.ts'

/** The operation's example as a command for a shell. */
export function command(origin: string, path: string, { parameters }: DocumentedOperation): Html {
  const shown = parameters.flatMap(({ name, in: place, example }) =>
    example === undefined ? [] : [{ name, place, example: String(example) }],
  )
  const url = shown.reduce((made, { name, place, example }) => {
    return place === 'path' ? made.replace(`{${name}}`, encodeURIComponent(example)) : made
  }, origin + path)
  const query = shown.filter(({ place }) => place === 'query')
  const lines = query.map(({ name, example }) => html` \\\n  -d <span class="key">${name}</span>=${example}`)
  return html`curl${query.length > 0 ? ' -G' : ''} "${url}"${lines}`
}

/** JSON with colours. Pictures and calldata are cut short. */
export function json(value: unknown): Html {
  const text = JSON.stringify(value, (_name, part) => (typeof part === 'string' ? shorten(part) : part), 2)
  return html`${text.split(token).map(colour)}`
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 40)}…` : text
}

/** Keys, other strings, and the plain words; what is between them stays as it is. */
const token = /("(?:[^"\\]|\\.)*"(?=:)|"(?:[^"\\]|\\.)*"|-?\d[\d.]*|true|false|null)/

function colour(part: string, i: number, parts: string[]): Html {
  // Splitting by a group puts every match in an odd place.
  if (i % 2 === 0) return html`${part}`
  if (!part.startsWith('"')) return html`<span class="word">${part}</span>`
  const isKey = parts[i + 1]?.startsWith(':')
  return isKey ? html`<span class="key">${part}</span>` : html`<span class="string">${part}</span>`
}
