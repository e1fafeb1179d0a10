import { type Hex, hexToString, size, slice } from 'viem'

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

/**
 * A text as contracts return it: an ABI string, read where its offset says, or 32 bytes filled up with zeros,
 * as a few old tokens (MKR among them) answer. Empty where there is none.
 */
export function decodeLabel(returned: Hex): string {
  const length = size(returned)
  if (length < 32) return ''
  const offset = BigInt(slice(returned, 0, 32))
  if (length === 32 || offset > BigInt(length - 32)) {
    return hexToString(slice(returned, 0, 32)).replace(/\0.*$/s, '')
  }
  const start = Number(offset) + 32
  const textLength = BigInt(slice(returned, start - 32, start))
  if (textLength === 0n || textLength > BigInt(length - start)) return ''
  return hexToString(slice(returned, start, start + Number(textLength)))
}
