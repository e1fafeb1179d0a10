import { fromHex, sizeOf } from '../../../domain/hex.ts'
import { digestBytes, isDigestText } from '../../../domain/signing/digest.ts'
import type { Hex } from '../../../domain/token/token.ts'

/** A message as it can be shown: as text when it is one, and how far it can be understood. */
export type MessageText =
  | { kind: 'text'; text: string }
  /** 32 bytes, or a text that writes them: whatever letters they spell, they may be the digest of something else. */
  | { kind: 'hash'; text: string }
  | { kind: 'bytes'; text: string }

export function readMessage(message: Hex): MessageText {
  const text = textOf(message)
  const isHash = sizeOf(message) === digestBytes || (text !== undefined && isDigestText(text))
  if (isHash) return { kind: 'hash', text: text ?? message }
  return text === undefined ? { kind: 'bytes', text: message } : { kind: 'text', text }
}

/** The UTF-8 text of `message`. Bytes with a zero among them are not meant to be read. */
function textOf(message: Hex): string | undefined {
  const bytes = fromHex(message)
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** A stretch of text, or the code point of a character that cannot be seen or that moves others: "U+202E". */
export type TextPart = { text: string } | { mark: string }

// Joiners and selectors are part of many emoji; anywhere else they are hidden letters.
const unseen =
  /(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)[\u200d\ufe0f]|(?![\u200d\ufe0f\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** `text` with everything invisible named. A carriage return before a line feed is part of the line's end. */
export function partsOfText(text: string): TextPart[] {
  const shown = text.replaceAll('\r\n', '\n')
  const parts: TextPart[] = []
  let from = 0
  for (const { 0: character, index } of shown.matchAll(unseen)) {
    if (index > from) parts.push({ text: shown.slice(from, index) })
    parts.push({ mark: `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}` })
    from = index + character.length
  }
  if (from < shown.length) parts.push({ text: shown.slice(from) })
  return parts
}
