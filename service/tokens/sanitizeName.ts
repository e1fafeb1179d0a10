import { type Hex, hexToString, size, slice } from 'viem'

// Token names are untrusted: limits length and removes invisible characters.

export function toSymbol(text: string): string {
  return toVisible(text, 32)
}

export function toName(text: string): string {
  return toVisible(text, 64)
}

function toVisible(text: string, most: number): string {
  // Room for surrogate pairs and removed characters.
  const visible = text.slice(0, 4 * most).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
  return [...visible].slice(0, most).join('').trim()
}

/** Decodes an ABI string, or 32 zero-padded bytes (old tokens, e.g. MKR). */
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
