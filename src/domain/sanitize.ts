/**
 * `text` from outside as one short line that is safe to show: compatibility forms folded (NFKC), control, format (bidi) and
 * invisible characters dropped, white space collapsed, at most `most` characters. May be empty.
 */
export function sanitizeText(text: string, most: number): string {
  const folded = text.slice(0, most * 8).normalize('NFKC')
  const visible = folded.replace(/\s+/gu, ' ').replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
  return [...visible.trim()].slice(0, most).join('').trim()
}

/** `text` without invisible characters (joiners, marks of direction, soft hyphens, …). White space stays. */
export function withoutUnseen(text: string): string {
  return text.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
}

/**
 * What somebody says of what they were asked, without the keys that came along: `key`, and the long words of `sent`, a URL for example.
 * `said` is JSON that was parsed: before that a key may be written in many ways, and what is cut out could end a string. Also in it a key
 * may be written as URLs do. What is deeper than any error has no meaning, and is left out.
 */
export function redactSecrets(said: unknown, sent: string, key = '', levels = 20): unknown {
  // A key of three signs would take words apart, and guards nothing.
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
