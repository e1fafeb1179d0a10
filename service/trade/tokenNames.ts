// Whoever made a token has chosen its names, and these go into every answer, list and log: they are short, and can be seen.

export function toSymbol(text: string): string {
  return toVisible(text, 32)
}

export function toName(text: string): string {
  return toVisible(text, 64)
}

/** At most so many characters, none of which is a control, a line's end, or half a character. */
function toVisible(text: string, most: number): string {
  // One character may be written in two units, and those that fall away are room for others, but not without end.
  const visible = text.slice(0, 4 * most).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
  return [...visible].slice(0, most).join('').trim()
}
