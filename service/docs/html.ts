/** Escaped HTML. */
export type Html = { readonly html: string }

type Piece = Html | string | number | readonly Piece[]

/** Template tag that escapes all but `Html`. */
export function html(texts: TemplateStringsArray, ...pieces: Piece[]): Html {
  return { html: texts.map((text, i) => text + write(pieces[i] ?? '')).join('') }
}

function write(piece: Piece): string {
  if (typeof piece === 'string') return escapeText(piece)
  if (typeof piece === 'number') return String(piece)
  return 'html' in piece ? piece.html : piece.map(write).join('')
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => entities[letter] ?? '')
}
