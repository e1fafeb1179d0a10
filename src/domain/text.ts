/**
 * `text` from outside as one short line that is safe to show: compatibility forms folded (NFKC), control, format (bidi) and
 * invisible characters dropped, white space collapsed, at most `most` characters. May be empty.
 */
export function plainText(text: string, most: number): string {
  const folded = text.slice(0, most * 8).normalize('NFKC')
  const visible = folded.replace(/\s+/gu, ' ').replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
  return [...visible.trim()].slice(0, most).join('').trim()
}
