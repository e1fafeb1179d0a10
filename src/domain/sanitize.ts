/**
 * Returns outside text as one safe line: NFKC, without control, format (bidi) and invisible characters, at
 * most `most` characters. May be empty.
 */
export function sanitizeText(text: string, most: number): string {
  const folded = text.slice(0, most * 8).normalize('NFKC')
  const visible = folded.replace(/\s+/gu, ' ').replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
  return [...visible.trim()].slice(0, most).join('').trim()
}

/** Removes invisible characters; keeps white space. */
export function stripInvisible(text: string): string {
  return text.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
}

/**
 * Redacts `key` and long words of `sent` from a response, also URL-encoded. `said` must be parsed JSON: raw
 * text may write a key in many ways. Drops data deeper than `levels`.
 */
export function redactSecrets(said: unknown, sent: string, key = '', levels = 20): unknown {
  // A shorter key guards nothing and would cut words apart.
  const whole = key.length > 3 ? [key] : []
  if (typeof said === 'string') return hideIn(said, [...whole, ...(sent.match(/[^\s/:?#=&.@]{12,}/g) ?? [])])
  if (typeof said !== 'object' || said === null) return said
  if (!levels) return '…'
  const hide = (one: unknown) => redactSecrets(one, sent, key, levels - 1)
  if (Array.isArray(said)) return said.map(hide)
  return Object.fromEntries(Object.entries(said).map((entry) => entry.map(hide)))
}

function hideIn(text: string, keys: string[]): string {
  return keys
    .flatMap((key) => [key, unescapeUrl(key)])
    .reduce((left, key) => {
      const plain = unescapeUrl(left)
      return plain.includes(key) ? plain.replaceAll(key, '…') : left
    }, text)
}

/** Keys are ASCII. */
function unescapeUrl(text: string): string {
  return text.replace(/%[0-7][0-9a-f]/gi, decodeURIComponent)
}
