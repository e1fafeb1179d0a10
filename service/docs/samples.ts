import type { DocumentedOperation } from '../api/openapiOperation.ts'
import { type Html, html } from './html.ts'

/** Returns the example as a shell command. */
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

/** Renders highlighted JSON with truncated images and calldata. */
export function json(value: unknown): Html {
  const text = JSON.stringify(value, (_name, part) => (typeof part === 'string' ? shorten(part) : part), 2)
  return html`${text.split(token).map(colour)}`
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 40)}…` : text
}

const token = /("(?:[^"\\]|\\.)*"(?=:)|"(?:[^"\\]|\\.)*"|-?\d[\d.]*|true|false|null)/

function colour(part: string, i: number, parts: string[]): Html {
  // Odd parts are matches.
  if (i % 2 === 0) return html`${part}`
  if (!part.startsWith('"')) return html`<span class="word">${part}</span>`
  const isKey = parts[i + 1]?.startsWith(':')
  return isKey ? html`<span class="key">${part}</span>` : html`<span class="string">${part}</span>`
}
