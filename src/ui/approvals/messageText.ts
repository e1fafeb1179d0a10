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
